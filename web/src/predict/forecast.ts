// What the page draws of ergon.predict/1: points with their 90 % intervals, over the clock for several batches.

import type { Estimate, JsonObject } from "../documents/document";
import { estimate, flag, num, nums, object, objects, text } from "../documents/document";

export interface ForecastPoint {
  clock: number; // hertz
  batch: number;
  time: Estimate; // of an iteration
  power: Estimate;
  energy: Estimate; // of an iteration
}

export interface ForecastCurve {
  batch: number;
  precision: string;
  usual: boolean; // the batch and precision that were asked for
  ownClock: number | null; // that the GPU settles at when no clock is set
  points: readonly ForecastPoint[]; // by ascending clock
}

// The point that was asked for; null where the document is incomplete.
export function askedPoint(body: JsonObject): ForecastPoint | null {
  const clock = num(body, "clock_hertz");
  if (clock === null) return null;
  return { clock, batch: num(body, "batch") ?? 1, time: estimate(body, "time_seconds"), power: estimate(body, "power_watts"), energy: estimate(body, "energy_joules") };
}

export function forecastCurves(body: JsonObject): readonly ForecastCurve[] {
  return objects(body, "curves").flatMap((curve): ForecastCurve[] => {
    const batch = num(curve, "batch");
    const points = batch === null ? [] : pointsOf(curve, batch);
    if (batch === null || points.length === 0) return [];
    return [{ batch, precision: text(curve, "precision") ?? "unknown", usual: flag(curve, "usual") ?? false, ownClock: num(curve, "own_clock_hertz"), points }];
  });
}

function pointsOf(curve: JsonObject, batch: number): ForecastPoint[] {
  const columns = { time: series(curve, "time_seconds"), power: series(curve, "power_watts"), energy: series(curve, "energy_joules") };
  return nums(curve, "clock_hertz")
    .flatMap((clock, index): ForecastPoint[] => (clock === null ? [] : [{ clock, batch, time: columns.time(index), power: columns.power(index), energy: columns.energy(index) }]))
    .sort((a, b) => a.clock - b.clock);
}

function series(curve: JsonObject, key: string): (index: number) => Estimate {
  const found = object(curve, key);
  const [value, low, high] = [nums(found, "value"), nums(found, "low"), nums(found, "high")];
  return (index) => ({ value: value[index] ?? null, low: low[index] ?? null, high: high[index] ?? null });
}

export function perSample(point: ForecastPoint): Estimate {
  return scaled(point.energy, 1 / point.batch);
}

// Its ends are the products of the ends, as the program counts them.
export function energyDelay({ energy, time }: ForecastPoint): Estimate {
  const product = (a: number | null, b: number | null) => (a === null || b === null ? null : a * b);
  return { value: product(energy.value, time.value), low: product(energy.low, time.low), high: product(energy.high, time.high) };
}

// The point with the least of something; null where nothing is known.
export function least(points: readonly ForecastPoint[], of: (point: ForecastPoint) => number | null): ForecastPoint | null {
  let best: ForecastPoint | null = null;
  for (const point of points) {
    const value = of(point);
    if (value !== null && (best === null || value < (of(best) ?? Infinity))) best = point;
  }
  return best;
}

export function nearest(points: readonly ForecastPoint[], clock: number): number {
  let best = 0;
  points.forEach((point, index) => {
    if (Math.abs(point.clock - clock) < Math.abs((points[best]?.clock ?? Infinity) - clock)) best = index;
  });
  return best;
}

function scaled({ value, low, high }: Estimate, by: number): Estimate {
  const times = (number: number | null) => (number === null ? null : number * by);
  return { value: times(value), low: times(low), high: times(high) };
}
