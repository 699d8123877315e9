// Reads ergon.predict: points with 90 % intervals, over the clock for several batches.

import type { Estimate, JsonObject } from "../documents/document";
import { estimate, flag, num, nums, object, objects, text } from "../documents/document";

export interface PredictedPoint {
  clock: number; // hertz
  batch: number;
  time: Estimate; // per iteration
  power: Estimate;
  energy: Estimate; // per iteration
}

export interface PredictedCurve {
  batch: number;
  precision: string;
  isDefault: boolean; // the requested batch and precision
  defaultClock: number | null;
  points: readonly PredictedPoint[]; // sorted by clock
}

// The requested point; null if the document is incomplete.
export function requestedPoint(body: JsonObject): PredictedPoint | null {
  const clock = num(body, "clock_hertz");
  if (clock === null) return null;
  return { clock, batch: num(body, "batch") ?? 1, time: estimate(body, "time_seconds"), power: estimate(body, "power_watts"), energy: estimate(body, "energy_joules") };
}

export function predictedCurves(body: JsonObject): readonly PredictedCurve[] {
  return objects(body, "curves").flatMap((curve): PredictedCurve[] => {
    const batch = num(curve, "batch");
    const points = batch === null ? [] : pointsOf(curve, batch);
    if (batch === null || points.length === 0) return [];
    return [{ batch, precision: text(curve, "precision") ?? "unknown", isDefault: flag(curve, "default") ?? false, defaultClock: num(curve, "default_clock_hertz"), points }];
  });
}

function pointsOf(curve: JsonObject, batch: number): PredictedPoint[] {
  const columns = { time: series(curve, "time_seconds"), power: series(curve, "power_watts"), energy: series(curve, "energy_joules") };
  return nums(curve, "clock_hertz")
    .flatMap((clock, index): PredictedPoint[] => (clock === null ? [] : [{ clock, batch, time: columns.time(index), power: columns.power(index), energy: columns.energy(index) }]))
    .sort((a, b) => a.clock - b.clock);
}

function series(curve: JsonObject, key: string): (index: number) => Estimate {
  const found = object(curve, key);
  const [value, low, high] = [nums(found, "value"), nums(found, "low"), nums(found, "high")];
  return (index) => ({ value: value[index] ?? null, low: low[index] ?? null, high: high[index] ?? null });
}

export function perSample(point: PredictedPoint): Estimate {
  return scaled(point.energy, 1 / point.batch);
}

// The interval is the product of the interval ends, as in the program.
export function energyDelay({ energy, time }: PredictedPoint): Estimate {
  const product = (a: number | null, b: number | null) => (a === null || b === null ? null : a * b);
  return { value: product(energy.value, time.value), low: product(energy.low, time.low), high: product(energy.high, time.high) };
}

// The point with the min value; null if all are unknown.
export function pointWithMin(points: readonly PredictedPoint[], of: (point: PredictedPoint) => number | null): PredictedPoint | null {
  let best: PredictedPoint | null = null;
  for (const point of points) {
    const value = of(point);
    if (value !== null && (best === null || value < (of(best) ?? Infinity))) best = point;
  }
  return best;
}

export function nearest(points: readonly PredictedPoint[], clock: number): number {
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
