import type { ScaleOptions } from "@observablehq/plot";

// Time axis of recent readings, at least one minute long, so that the first readings make a visible line.
export function timeAxis(times: readonly Date[], narrow: boolean): ScaleOptions {
  const moments = times.map((time) => time.getTime());
  const last = moments.length === 0 ? Date.now() : Math.max(...moments);
  const first = Math.min(last - 60_000, ...moments);
  // Ticks are whole minutes only on long axes.
  const format = last - first > 360_000 ? ({ hour: "2-digit", minute: "2-digit" } as const) : ({} as const);
  return { type: "time", label: "time", domain: [new Date(first), new Date(last)], ticks: narrow ? 3 : 6, tickFormat: (time: Date) => time.toLocaleTimeString("en-GB", format) };
}
