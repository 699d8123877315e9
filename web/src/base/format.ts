// Number formats. Null is "unknown", never 0. Default: three significant digits.

export type Maybe<T> = T | null | undefined;

export const unknown = "unknown";
const narrowSpace = "\u202f";
const minus = "\u2212";

const prefixes: readonly (readonly [number, string])[] = [
  [1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"], [1e-12, "p"],
];
const binaryPrefixes: readonly (readonly [number, string])[] = [
  [2 ** 40, "Ti"], [2 ** 30, "Gi"], [2 ** 20, "Mi"], [2 ** 10, "Ki"], [1, ""],
];

// 0.00943, "s" -> "9.43 ms". For W, J, s, Hz, FLOP/s and other SI units.
export function si(value: Maybe<number>, unit: string, digits = 3): string {
  return prefixed(value, unit, digits, prefixes, 1e-12);
}

// 4194304 -> "4.00 MiB".
export function bytes(value: Maybe<number>, digits = 3): string {
  return prefixed(value, "B", digits, binaryPrefixes, 1);
}

// Without SI prefixes: 1597, "MHz" -> "1,597 MHz".
export function withUnit(value: Maybe<number>, unit: string, digits = 4): string {
  if (!known(value)) return unknown;
  return unit === "" ? number(value, digits) : `${number(value, digits)}${narrowSpace}${unit}`;
}

export function clock(hertz: Maybe<number>): string {
  return known(hertz) ? withUnit(hertz / 1e6, "MHz") : unknown;
}

export function clockMhz(mhz: Maybe<number>): string {
  return withUnit(mhz, "MHz");
}

// Joules below 100 Wh, otherwise kWh.
export function energy(joules: Maybe<number>): string {
  return known(joules) && joules >= 3.6e5 ? withUnit(joules / 3.6e6, "kWh", 3) : si(joules, "J");
}

// Integers with thousands separators, others with `digits` significant digits; very large and small with an exponent.
export function number(value: Maybe<number>, digits = 3): string {
  if (!known(value)) return unknown;
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e9 || size < 1e-4)) return value.toExponential(digits - 1).replace("-", minus);
  if (Number.isInteger(value) || size >= 10 ** (digits - 1)) return grouped(Math.round(value));
  return value.toPrecision(digits).replace("-", minus);
}

export function count(value: Maybe<number>): string {
  return known(value) ? grouped(Math.round(value)) : unknown;
}

// "1 decision", "3 decisions".
export function counted(value: Maybe<number>, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

// 0.2404 -> "24.0 %".
export function percent(share: Maybe<number>, decimals = 1): string {
  if (!known(share)) return unknown;
  return `${(share * 100).toFixed(decimals).replace("-", minus)}${narrowSpace}%`;
}

// A relative change, with its sign.
export function change(share: Maybe<number>, decimals = 1): string {
  return known(share) && share > 0 ? `+${percent(share, decimals)}` : percent(share, decimals);
}

// 7384 -> "2 h 3 min"; below one minute like si().
export function duration(seconds: Maybe<number>): string {
  if (!known(seconds)) return unknown;
  if (Math.abs(seconds) < 60) return si(seconds, "s");
  const parts: readonly (readonly [string, number])[] = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];
  const words: string[] = [];
  let rest = Math.round(seconds);
  for (const [unit, size] of parts) {
    const whole = Math.floor(rest / size);
    rest -= whole * size;
    if (whole > 0) words.push(`${whole}${narrowSpace}${unit}`);
  }
  return words.slice(0, 2).join(" ");
}

// ISO time -> "2026-11-16 19:15 UTC"; the text itself if it is not a time.
export function instant(iso: Maybe<string>): string {
  if (iso === null || iso === undefined) return unknown;
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

// "12.1 W to 13.4 W".
export function interval(low: Maybe<number>, high: Maybe<number>, write: (value: number) => string): string {
  return known(low) && known(high) ? `${write(low)} to ${write(high)}` : unknown;
}

export function known(value: Maybe<number>): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function prefixed(
  value: Maybe<number>,
  unit: string,
  digits: number,
  steps: readonly (readonly [number, string])[],
  min: number,
): string {
  if (!known(value)) return unknown;
  const size = Math.abs(value);
  if (size < min / 2) return `${value === 0 ? "0" : value.toExponential(digits - 1)}${narrowSpace}${unit}`;
  // Rounds before choosing the prefix, so that 999.96 becomes 1.00 k and not 1000.
  const step = steps.find(([scale]) => size * (1 + 0.5 * 10 ** -digits) >= scale) ?? steps[steps.length - 1]!;
  const scaled = value / step[0];
  const whole = step[0] === 1 && Number.isInteger(value);
  const written = whole || Math.abs(scaled) >= 10 ** digits ? grouped(Math.round(scaled)) : scaled.toPrecision(digits);
  return `${written.replace("-", minus)}${narrowSpace}${step[1]}${unit}`;
}

function grouped(value: number): string {
  return value.toLocaleString("en-GB").replace("-", minus);
}
