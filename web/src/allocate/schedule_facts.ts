// Key figures of a schedule: saving, latency, and distance from the lower bound.

import { change, count, number, percent, si } from "../base/format";
import type { Fact } from "../charts/facts";
import { facts } from "../charts/facts";
import type { JsonObject } from "../documents/document";
import { flag, num, object } from "../documents/document";

export function scheduleFacts(schedule: JsonObject): HTMLElement {
  const saving = object(schedule, "energy_saving");
  const ratio = num(schedule, "energy_ratio");
  const race = num(schedule, "latency_race_to_idle_seconds");
  const allowed = num(schedule, "latency_allowed_seconds");
  const memory = num(schedule, "memory_energy_ratio");
  const entries: Fact[] = [
    { label: "energy saved", value: ratio === null ? percent(null) : percent(1 - ratio), note: "including clock switches" },
    { label: "energy saved, array only", value: percent(num(saving, "energy_weighted")), note: `mean over layers ${percent(num(saving, "layer_mean"))}` },
    { label: "planned latency", value: si(num(schedule, "latency_seconds"), "s", 4), note: slowdown(num(schedule, "latency_seconds"), race) },
    { label: "simulated latency", value: si(num(schedule, "latency_resimulated_seconds"), "s", 4), note: slowdown(num(schedule, "latency_resimulated_seconds"), race) },
    { label: "latency at the highest clock", value: si(race, "s", 4), note: allowed === null ? "no max for this scheme" : `max ${si(allowed, "s", 4)}` },
    { label: "bandwidth saved", value: percent(num(schedule, "bandwidth_reduction")), note: "mean over layers" },
    { label: "switches", value: count(num(schedule, "switches")) },
    ...proofFacts(schedule),
  ];
  if (memory !== null && memory !== 1) entries.push({ label: "memory energy", value: percent(memory), note: "relative to the highest clock" });
  return facts(entries);
}

function proofFacts(schedule: JsonObject): readonly Fact[] {
  const bound = num(schedule, "lower_bound_energy_ratio");
  const gap = num(schedule, "gap");
  if (bound === null) return [{ label: "max saving", value: "unknown", note: "no bound for schemes with continuous clocks" }];
  const complete = flag(object(schedule, "proof"), "complete_search");
  return [
    { label: "max saving", value: percent(1 - bound), note: "upper bound for this latency" },
    {
      label: "gap to the bound", value: gap === null ? "unknown" : number(gap * 100, 3),
      note: `percentage points${complete === null ? "" : complete ? "; search complete: proven" : "; search incomplete: bound only"}`,
    },
  ];
}

function slowdown(seconds: number | null, race: number | null): string {
  if (seconds === null || !race) return "slowdown unknown";
  const share = seconds / race - 1;
  return Math.abs(share) < 5e-5 ? "no slowdown" : `slowdown ${change(share, 2)}`;
}
