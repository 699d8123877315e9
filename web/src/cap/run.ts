// Data of a run under a power cap for charts, from a document or while it runs.

import type { Decision } from "../api/types";
import type { JsonObject } from "../documents/document";
import { num, objects, text } from "../documents/document";

export interface CapStep {
  time_seconds: number;
  cap_watts: number;
}

export interface Run {
  simulated: boolean;
  decisions: readonly Decision[];
  caps: readonly CapStep[]; // each is valid until the next
  end_seconds: number; // current time of a running job
  axis_seconds: number; // end of the time axis
  latency_bound_seconds: number | null;
  best_samples_per_second: number | null; // of the oracle under the last cap; null if unknown
}

export function runOf(body: JsonObject, simulated: boolean): Run {
  const decisions = objects(body, "decisions").flatMap((entry) => asDecision(entry) ?? []);
  const end = Math.max(num(body, "duration_seconds") ?? 0, decisions[decisions.length - 1]?.time_seconds ?? 0);
  return {
    simulated,
    decisions,
    caps: objects(body, "caps").flatMap((entry) => {
      const time = num(entry, "time_seconds");
      const cap = num(entry, "cap_watts");
      return time === null || cap === null ? [] : [{ time_seconds: time, cap_watts: cap }];
    }),
    end_seconds: end,
    axis_seconds: Math.max(end, 1),
    latency_bound_seconds: num(body, "latency_bound_seconds"),
    best_samples_per_second: num(body, "oracle_throughput"),
  };
}

function asDecision(entry: JsonObject): Decision | null {
  const time = num(entry, "time_seconds");
  if (time === null) return null;
  return {
    time_seconds: time,
    batch: num(entry, "batch"),
    clock_hertz: num(entry, "clock_hertz"),
    power_watts: num(entry, "power_watts"),
    mean_power_watts: num(entry, "mean_power_watts"),
    cap_watts: num(entry, "cap_watts"),
    throughput_samples_per_second: num(entry, "throughput_samples_per_second"),
    latency_seconds: num(entry, "latency_seconds"),
    temperature_celsius: num(entry, "temperature_celsius"),
    next_batch: num(entry, "next_batch"),
    next_clock_hertz: num(entry, "next_clock_hertz"),
    reason: text(entry, "reason"),
  };
}

// Caps of a running job: a decision contains the cap that is valid after it.
export function capsSoFar(first: number | null, decisions: readonly Decision[]): readonly CapStep[] {
  const steps: CapStep[] = first === null ? [] : [{ time_seconds: 0, cap_watts: first }];
  for (const { time_seconds, cap_watts } of decisions) {
    if (cap_watts !== null && steps[steps.length - 1]?.cap_watts !== cap_watts) steps.push({ time_seconds, cap_watts });
  }
  return steps;
}

// The cap that was valid before the decision, while its power was measured.
export function capBefore(caps: readonly CapStep[], time_seconds: number): number | null {
  let cap: number | null = null;
  for (const step of caps) if (step.time_seconds < time_seconds) cap = step.cap_watts;
  return cap;
}
