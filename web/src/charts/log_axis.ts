// Logarithmic axis whose ticks are always labeled: 1, 2, 5 if there is room, otherwise powers of ten. It is a linear
// axis of logarithms, because Plot's "log" scale omits labels.

import type { ScaleOptions } from "@observablehq/plot";

export interface LogAxis {
  options: ScaleOptions;
  ends: readonly [number, number]; // in values, not logarithms
}

// `values` are scaled as drawn; values that are not positive are omitted.
export function logAxis(values: readonly number[], narrow = false): LogAxis {
  const positive = values.filter((value) => value > 0);
  const low = positive.length === 0 ? 1 : Math.min(...positive) / 1.1;
  const high = positive.length === 0 ? 10 : Math.max(...positive) * 1.1;
  const ticks = ticksWithin(low, high, narrow ? 5 : 9).map(Math.log10);
  const options: ScaleOptions = {
    type: "linear", transform: Math.log10, domain: [Math.log10(low), Math.log10(high)], ticks, tickFormat: (power: number) => logTick(10 ** power),
  };
  return { options, ends: [low, high] };
}

// 0.02, 5, 300, 2k, 10M.
export function logTick(value: number): string {
  for (const [size, prefix] of [[1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e4, "k"]] as const) {
    if (value >= size * 0.999) return `${Number((value / (prefix === "k" ? 1e3 : size)).toPrecision(3))}${prefix}`;
  }
  return String(Number(value.toPrecision(3)));
}

const mantissas = [[1, 1.5, 2, 3, 4, 5, 7], [1, 2, 3, 5], [1, 2, 5], [1, 3], [1]] as const;

function ticksWithin(low: number, high: number, max: number): number[] {
  const first = Math.floor(Math.log10(low));
  const last = Math.ceil(Math.log10(high));
  const decades = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const inside = (choice: readonly number[]) => decades.flatMap((power) => choice.map((mantissa) => mantissa * 10 ** power)).filter((tick) => tick >= low && tick <= high);
  const fitting = mantissas.map(inside).find((ticks) => ticks.length <= max);
  if (fitting) return fitting;
  const powers = inside([1]);
  const step = Math.ceil(powers.length / max);
  return powers.filter((_, index) => index % step === 0);
}
