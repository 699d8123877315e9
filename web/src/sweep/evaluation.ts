// Reads ergon.sweep.evaluate.

import type { Estimate, JsonObject } from "../documents/document";
import { estimate, num, nums, object, objects, pair, text, texts } from "../documents/document";

export type Quantity = "time_seconds" | "power_watts" | "energy_joules";

export interface Point {
  network: string;
  clock_mhz: number;
  runs: number | null;
  mean: number;
  deviation: number | null; // standard deviation; null without repetitions
  relative: number | null; // to the highest clock; time only
}

export interface TrendPoint {
  clock_mhz: number;
  fit: number;
  low: number | null;
  high: number | null;
}

export interface SweptNetwork {
  title: string;
  body: JsonObject;
  knee: number | null;
  kneeInterval: readonly [number, number] | null;
  bestEnergy: number | null;
  bestEdp: number | null;
  powerClock: Estimate;
  timeClock: Estimate;
  powerTime: Estimate;
}

export function sweptNetworks(evaluation: JsonObject): readonly SweptNetwork[] {
  return objects(evaluation, "networks").map((body) => ({
    title: text(body, "title") ?? text(body, "name") ?? "unnamed",
    body,
    knee: num(body, "knee_mhz"),
    kneeInterval: pair(body, "knee_interval"),
    bestEnergy: num(body, "best_energy_clock_mhz"),
    bestEdp: num(body, "best_edp_clock_mhz"),
    powerClock: estimate(body, "r_power_clock"),
    timeClock: estimate(body, "r_time_clock"),
    powerTime: estimate(body, "r_power_time"),
  }));
}

// Measured points sorted by clock; empty if the document was written without --points.
export function points({ body, title }: SweptNetwork, quantity: Quantity): readonly Point[] {
  const found: Point[] = [];
  for (const entry of objects(body, "series")) {
    const clock = num(entry, "clock_mhz");
    const spread = object(entry, quantity);
    const mean = num(spread, "mean");
    if (clock === null || mean === null) continue;
    const relative = quantity === "time_seconds" ? num(entry, "relative_time") : null;
    found.push({ network: title, clock_mhz: clock, runs: num(entry, "runs"), mean, deviation: num(spread, "deviation"), relative });
  }
  return found.sort((a, b) => a.clock_mhz - b.clock_mhz);
}

// The LOESS fit with its band.
export function trend({ body }: SweptNetwork, quantity: Quantity): readonly TrendPoint[] {
  const found = object(object(body, "trends"), quantity);
  const low = nums(found, "low");
  const high = nums(found, "high");
  const fit = nums(found, "fit");
  return nums(found, "clock_mhz").flatMap((clock, index) => {
    const value = fit[index];
    return clock === null || value === null || value === undefined
      ? []
      : [{ clock_mhz: clock, fit: value, low: low[index] ?? null, high: high[index] ?? null }];
  });
}

export function notesOf(network: SweptNetwork): readonly string[] {
  return texts(network.body, "notes");
}
