// Duration of events, as figures 2 and 4 of the TeraScope study, with percentiles.

import { dot, link, pointerY, tickX, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { count, interval, si } from "../base/format";
import { cssColor, cssSeries, series } from "../base/palette";
import { chart } from "../charts/chart";
import type { Durations, EventGroup } from "./analysis";

const seconds = (value: number) => si(value, "s");
const of = (key: keyof Durations, label: string): Column<EventGroup> => ({ key: `${key}_seconds`, label, value: (kind) => kind.seconds[key], format: seconds });

const columns: readonly Column<EventGroup>[] = [
  { key: "name", label: "event" },
  { key: "n", label: "count", format: (value) => count(value) },
  of("mean", "mean"), of("low", "low"), of("high", "high"), of("p50", "median"), of("p95", "p95"), of("p99", "p99"),
  of("min", "min"), of("max", "max"),
];

export function durations(id: string, title: string, kinds: readonly EventGroup[], simulated: boolean): HTMLElement | null {
  // A logarithmic axis has no zero.
  const shown = kinds.filter((kind) => kind.seconds.mean !== null && kind.seconds.mean > 0);
  if (shown.length === 0) return null;
  const ends = shown.flatMap(({ seconds: { min, mean, max } }) => [min, mean, max]).filter((value): value is number => value !== null && value > 0);
  const wide = Math.max(...ends) > 20 * Math.min(...ends);
  return chart({
    id,
    title,
    caption: `${wide ? "Logarithmic axis. " : ""}The 95 % interval of a mean is often narrower than its dot.`,
    simulated,
    columns,
    rows: kinds,
    legend: [
      { label: "mean, 95 % interval", color: cssSeries(0), sign: "dot" },
      { label: "median to p95", color: cssSeries(0), sign: "band" },
      { label: "p99", color: cssSeries(1), sign: "line" },
      { label: "min to max", color: cssColor("muted"), sign: "line" },
    ],
    height: 70 + shown.length * 34,
    draw: ({ narrow, colors }) => {
      const positive = (key: keyof Durations) => (kind: EventGroup) => {
        const value = kind.seconds[key];
        return value !== null && value > 0 ? value : null;
      };
      const y = "name";
      return {
        marginLeft: narrow ? 92 : 110,
        marginRight: 24,
        x: wide
          ? { type: "log", label: "duration", grid: true, ticks: narrow ? 4 : 8, tickFormat: (value: number) => si(value, "s", 1) }
          : { label: "duration (s)", grid: true, ticks: narrow ? 4 : 8, nice: true },
        y: { label: null, type: "band", domain: shown.map((kind) => kind.name) },
        marks: [
          link(shown, { x1: positive("min"), x2: positive("max"), y, stroke: colors.muted, strokeWidth: 1 }),
          link(shown, { x1: positive("p50"), x2: positive("p95"), y, stroke: series(0, colors), strokeOpacity: 0.35, strokeWidth: 10 }),
          tickX(shown, { x: positive("p99"), y, stroke: series(1, colors), strokeWidth: 2, insetTop: 6, insetBottom: 6 }),
          link(shown, { x1: positive("low"), x2: positive("high"), y, stroke: series(0, colors), strokeWidth: 3 }),
          dot(shown, { x: positive("mean"), y, fill: series(0, colors), r: 3.5 }),
          tip(shown, pointerY({ x: positive("mean"), y, title: tipText })),
        ],
      };
    },
  });
}

function tipText({ name, n, seconds: { mean, low, high, p50, p95, p99, min, max } }: EventGroup): string {
  const write = (value: number) => si(value, "s", 4);
  return [
    `${name}: ${count(n)}`,
    `mean ${si(mean, "s", 4)} (${interval(low, high, write)})`,
    `median ${si(p50, "s", 4)}, p95 ${si(p95, "s", 4)}, p99 ${si(p99, "s", 4)}`,
    `min ${si(min, "s", 4)}, max ${si(max, "s", 4)}`,
  ].join("\n");
}
