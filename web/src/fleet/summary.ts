import { count, duration, number, percent, si, withUnit } from "../base/format";
import type { Fact } from "../charts/facts";
import { facts } from "../charts/facts";
import type { JsonObject } from "../documents/document";
import { num, object, text } from "../documents/document";
import type { EventGroup } from "./analysis";

// Key figures of a fleet.
export function summary(analysis: JsonObject, events: readonly EventGroup[]): HTMLElement {
  const counts = object(analysis, "counts");
  const energy = object(analysis, "energy");
  const total = num(energy, "total_joules");
  const idle = num(energy, "idle_joules");
  const outermost = events.find(({ name }) => name === text(analysis, "outermost_event"));
  const price = num(energy, "price");
  const carbon = num(energy, "carbon_grams");
  const entries: Fact[] = [
    { label: "GPUs", value: count(num(counts, "gpus")), note: `on ${count(num(counts, "hosts"))} hosts` },
    { label: "tasks", value: count(num(counts, "tasks")), note: `${count(num(counts, "paired"))} events` },
    { label: "energy", value: si(total, "J"), note: total === null ? "" : withUnit(total / 3.6e6, "kWh") },
    { label: "GPU time", value: duration(num(energy, "gpu_seconds")) },
    { label: "idle energy", value: percent(share(idle, total)), note: si(idle, "J") },
    { label: "unattributed energy", value: percent(share(num(energy, "unattributed_joules"), total)), note: si(num(energy, "unattributed_joules"), "J") },
    { label: "idle time", value: percent(share(num(energy, "idle_seconds"), num(energy, "gpu_seconds"))), note: duration(num(energy, "idle_seconds")) },
  ];
  if (price !== null) entries.push({ label: "price", value: number(price), note: `idle ${number(num(energy, "idle_price"))}` });
  if (carbon !== null) entries.push({ label: "CO₂", value: si(carbon, "g"), note: `idle ${si(num(energy, "idle_carbon_grams"), "g")}` });
  if (outermost) {
    const nearest = `${si(num(outermost.nearest, "power_watts"), "W")} with nearest samples`;
    entries.push({ label: `power in ${outermost.name}`, value: si(num(outermost.interval, "power_watts"), "W"), note: nearest });
  }
  return facts(entries);
}

function share(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole === 0 ? null : part / whole;
}
