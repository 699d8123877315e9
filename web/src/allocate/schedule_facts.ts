// The key figures of one schedule: what it saves, when it is done, and how far it is from the best there is.

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
    { label: "energy saved", value: ratio === null ? percent(null) : percent(1 - ratio), note: "changes of clock included" },
    { label: "of the array alone", value: percent(num(saving, "energy_weighted")), note: `mean of layers ${percent(num(saving, "layer_mean"))}` },
    { label: "latency promised", value: si(num(schedule, "latency_seconds"), "s", 4), note: later(num(schedule, "latency_seconds"), race) },
    { label: "latency simulated", value: si(num(schedule, "latency_resimulated_seconds"), "s", 4), note: later(num(schedule, "latency_resimulated_seconds"), race) },
    { label: "at full speed", value: si(race, "s", 4), note: allowed === null ? "no limit for this scheme" : `allowed ${si(allowed, "s", 4)}` },
    { label: "bandwidth spared", value: percent(num(schedule, "bandwidth_reduction")), note: "mean of layers" },
    { label: "changes of clock", value: count(num(schedule, "switches")) },
    ...proofFacts(schedule),
  ];
  if (memory !== null && memory !== 1) entries.push({ label: "energy of the memory", value: percent(memory), note: "of what it takes at full speed" });
  return facts(entries);
}

function proofFacts(schedule: JsonObject): readonly Fact[] {
  const bound = num(schedule, "lower_bound_energy_ratio");
  const gap = num(schedule, "gap");
  if (bound === null) return [{ label: "best possible", value: "unknown", note: "no bound for a scheme that may use any clock" }];
  const complete = flag(object(schedule, "proof"), "complete_search");
  return [
    { label: "best possible", value: percent(1 - bound), note: "saved, in the time it takes" },
    {
      label: "gap to it", value: gap === null ? "unknown" : `${number(gap * 100, 3)} points`,
      ...(complete === null ? {} : { note: complete ? "the search was complete: a proof" : "the search was cut short: a bound" }),
    },
  ];
}

function later(seconds: number | null, race: number | null): string {
  if (seconds === null || !race) return "unknown beside full speed";
  const share = seconds / race - 1;
  return Math.abs(share) < 5e-5 ? "as at full speed" : `${change(share, 2)} beside full speed`;
}
