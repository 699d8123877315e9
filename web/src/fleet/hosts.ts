// The hosts: how long their tasks take, and which are outliers, have changed, or have a clock that is off.

import type { Column } from "../base/columns";
import { count, duration, instant, number, percent, si, withUnit } from "../base/format";
import { h } from "../base/dom";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { flag, num, object, objects, text } from "../documents/document";
import { hostsChart } from "./hosts_chart";

export interface Host {
  name: string;
  seconds: number | null;
  low: number | null;
  high: number | null;
  z: number | null;
  odd: readonly string[]; // why it is to be looked at
  body: JsonObject;
}

// Robust deviations from the population's median: docs/fleet.md has the rule.
export const outlierDeviations = 3.5;

const of = (key: string) => ({ body }: Host) => num(body, key);

const columns: readonly Column<Host>[] = [
  { key: "name", label: "host" },
  { key: "odd", label: "remarkable", value: (host) => host.odd.join("; ") },
  { key: "z", label: "deviations", value: (host) => host.z },
  { key: "tasks", label: "tasks", value: of("tasks"), format: (value) => count(value) },
  { key: "task_seconds", label: "a task takes", value: (host) => host.seconds, format: (value) => si(value, "s", 4) },
  { key: "power_watts", label: "power", value: of("power_watts"), format: (value) => si(value, "W") },
  { key: "temperature_celsius", label: "temperature", value: of("temperature_celsius"), format: (value) => withUnit(value, "°C", 3) },
  { key: "utilisation_percent", label: "utilisation", value: of("utilisation"), format: (value) => withUnit(value, "%", 3) },
  { key: "memory_percent", label: "memory", value: of("memory"), format: (value) => withUnit(value, "%", 3) },
  { key: "energy_joules", label: "energy", value: of("energy_joules"), format: (value) => si(value, "J") },
  { key: "idle_share", label: "idle energy", value: ({ body }) => quotient(num(body, "idle_joules"), num(body, "energy_joules")), format: (value) => percent(value) },
  { key: "idle_seconds", label: "idle", value: of("idle_seconds"), format: duration },
  { key: "gpus", label: "GPUs", value: of("gpus") },
  { key: "duplicates", label: "doubled rows", value: of("duplicates"), format: (value) => count(value) },
];

export function hostsSection(analysis: JsonObject, simulated: boolean): HTMLElement | null {
  const hosts = objects(analysis, "hosts").map(asHost);
  if (hosts.length === 0) return null;
  const remarkable = hosts.filter((host) => host.odd.length > 0);
  const order = [...hosts].sort((a, b) => b.odd.length - a.odd.length || Math.abs(b.z ?? 0) - Math.abs(a.z ?? 0));
  return h(
    "section",
    null,
    h("h2", null, "Hosts"),
    h("p", { class: "lead" }, remarkable.length === 0 ? "No host stands out." : `${remarkable.length} of ${hosts.length} hosts stand out; they come first.`),
    hostsChart(hosts, simulated),
    table({ label: "Hosts, the remarkable ones first", columns, rows: order, csvName: "fleet-hosts", simulated }),
  );
}

function asHost(body: JsonObject): Host {
  const seconds = object(body, "task_seconds");
  const z = num(body, "z");
  return { name: text(body, "name") ?? "unnamed", seconds: num(seconds, "mean"), low: num(seconds, "low"), high: num(seconds, "high"), z, odd: oddities(body, z), body };
}

function oddities(body: JsonObject, z: number | null): readonly string[] {
  const change = object(body, "change");
  const skew = num(body, "skew_seconds");
  const found: string[] = [];
  if (z !== null && Math.abs(z) >= outlierDeviations) found.push(z > 0 ? "slower than its like" : "faster than its like");
  if (change) found.push(`changed at ${instant(text(change, "at"))}: ${number(num(change, "before_seconds"), 4)} to ${si(num(change, "after_seconds"), "s", 4)} a task`);
  if (skew !== null) found.push(`samples are ${si(Math.abs(skew), "s")} ${skew > 0 ? "ahead" : "behind"}`);
  if (flag(body, "skew_unclear") === true) found.push("samples do not fit its events");
  return found;
}

function quotient(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole === 0 ? null : part / whole;
}
