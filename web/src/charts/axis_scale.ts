// SI prefix of an axis, chosen by its largest value: 0.0094 s is drawn as 9.4 ms.

export interface AxisScale {
  factor: number; // divide by it
  unit: string;
}

const prefixes: readonly (readonly [number, string])[] = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"]];

export function scaleFor(values: readonly number[], unit: string): AxisScale {
  const max = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  const [factor, prefix] = prefixes.find(([size]) => max >= size) ?? [1, ""];
  return { factor, unit: prefix + unit };
}
