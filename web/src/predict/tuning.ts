// Reads ergon.tune.

import type { JsonObject } from "../documents/document";
import { flag, num, object, objects, text, texts } from "../documents/document";

export interface Interval {
  low: number | null;
  high: number | null;
}

export interface OperatingPoint {
  device: string;
  clock: number | null; // in steady state, hertz
  defaultClock: boolean; // no locked clock
  batch: number | null;
  limit: number | null;
  limitIsDefault: boolean;
  time: number | null;
  speed: number | null; // samples per second
  power: number | null;
  energy: number | null; // per sample
  price: number | null; // per sample
  carbon: number | null; // grams per sample
  source: string;
  timeInterval: Interval;
  powerInterval: Interval;
  energyInterval: Interval;
}

export interface TunedDevice {
  device: string;
  choice: OperatingPoint | null;
  defaultPoint: OperatingPoint | null;
  saving: number | null;
  blockedBy: string | null;
  candidates: number | null;
  warnings: readonly string[];
  excluded: readonly string[];
}

export interface LatencyStep {
  change: number;
  saving: number | null; // null if no point is that fast
  point: OperatingPoint | null;
}

export function operatingPoint(from: JsonObject | null): OperatingPoint | null {
  if (from === null) return null;
  const intervals = object(from, "intervals");
  const interval = (key: string): Interval => ({ low: num(object(intervals, key), "low"), high: num(object(intervals, key), "high") });
  return {
    device: text(from, "device") ?? "unknown",
    clock: num(from, "clock_hertz"),
    defaultClock: num(from, "requested_clock_hertz") === null,
    batch: num(from, "batch"),
    limit: num(from, "power_limit_watts"),
    limitIsDefault: flag(from, "power_limit_is_default") ?? true,
    time: num(from, "time_seconds"),
    speed: num(from, "samples_per_second"),
    power: num(from, "power_watts"),
    energy: num(from, "energy_per_sample_joules"),
    price: num(from, "price_per_sample"),
    carbon: num(from, "carbon_per_sample_grams"),
    source: text(from, "source") ?? "unknown",
    timeInterval: interval("time_seconds"),
    powerInterval: interval("power_watts"),
    energyInterval: interval("energy_per_sample_joules"),
  };
}

export function tunedDevices(body: JsonObject): readonly TunedDevice[] {
  return objects(body, "devices").map((device) => ({
    device: text(device, "device") ?? "unknown",
    choice: operatingPoint(object(device, "choice")),
    defaultPoint: operatingPoint(object(device, "default")),
    saving: num(device, "energy_saving"),
    blockedBy: text(device, "blocked_by"),
    candidates: num(device, "candidates"),
    warnings: texts(device, "warnings"),
    excluded: objects(device, "excluded").map((batch) => `batch ${num(batch, "batch") ?? "unknown"}: ${text(batch, "reason") ?? "unknown"}`),
  }));
}

// By ascending change of latency.
export function latencySteps(body: JsonObject): readonly LatencyStep[] {
  return [...objects(body, "less_latency"), ...objects(body, "more_latency")]
    .flatMap((step): LatencyStep[] => {
      const change = num(step, "latency_change");
      return change === null ? [] : [{ change, saving: num(step, "energy_saving"), point: operatingPoint(object(step, "point")) }];
    })
    .sort((a, b) => a.change - b.change);
}

export function paretoPoints(body: JsonObject): readonly OperatingPoint[] {
  return objects(body, "pareto").flatMap((point) => operatingPoint(point) ?? []);
}
