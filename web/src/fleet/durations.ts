// How long events take, as figures 2 and 4 of the TeraScope study, with what their means hide.

import { dot, link, pointerY, tickX, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { count, interval, si } from "../base/format";
import { cssColour, cssSeries, series } from "../base/palette";
import { chart } from "../charts/chart";
import type { Kind, Spread } from "./analysis";

const seconds = (value: number) => si(value, "s");
const of = (key: keyof Spread, label: string): Column<Kind> => ({ key: `${key}_seconds`, label, value: (kind) => kind.seconds[key], format: seconds });

const columns: readonly Column<Kind>[] = [
  { key: "name", label: "event" },
  { key: "n", label: "how many", format: (value) => count(value) },
  of("mean", "mean"), of("low", "from"), of("high", "to"), of("p50", "median"), of("p95", "95th percentile"), of("p99", "99th percentile"),
  of("min", "shortest"), of("max", "longest"),
];

export function durations(id: string, title: string, kinds: readonly Kind[], simulated: boolean): HTMLElement | null {
  // Zero has no place on an axis of powers of ten.
  const shown = kinds.filter((kind) => kind.seconds.mean !== null && kind.seconds.mean > 0);
  if (shown.length === 0) return null;
  const ends = shown.flatMap(({ seconds: { min, mean, max } }) => [min, mean, max]).filter((value): value is number => value !== null && value > 0);
  const wide = Math.max(...ends) > 20 * Math.min(...ends);
  return chart({
    id,
    title,
    caption: `${wide ? "The axis goes in powers of ten. " : ""}The 95 % interval of a mean is often narrower than its dot.`,
    simulated,
    columns,
    rows: kinds,
    legend: [
      { label: "mean, 95 % interval", colour: cssSeries(0), sign: "dot" },
      { label: "median to 95th percentile", colour: cssSeries(0), sign: "band" },
      { label: "99th percentile", colour: cssSeries(1), sign: "line" },
      { label: "shortest to longest", colour: cssColour("muted"), sign: "line" },
    ],
    height: 70 + shown.length * 34,
    draw: ({ narrow, colours }) => {
      const positive = (key: keyof Spread) => (kind: Kind) => {
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
          link(shown, { x1: positive("min"), x2: positive("max"), y, stroke: colours.muted, strokeWidth: 1 }),
          link(shown, { x1: positive("p50"), x2: positive("p95"), y, stroke: series(0, colours), strokeOpacity: 0.35, strokeWidth: 10 }),
          tickX(shown, { x: positive("p99"), y, stroke: series(1, colours), strokeWidth: 2, insetTop: 6, insetBottom: 6 }),
          link(shown, { x1: positive("low"), x2: positive("high"), y, stroke: series(0, colours), strokeWidth: 3 }),
          dot(shown, { x: positive("mean"), y, fill: series(0, colours), r: 3.5 }),
          tip(shown, pointerY({ x: positive("mean"), y, title: tipText })),
        ],
      };
    },
  });
}

function tipText({ name, n, seconds: { mean, low, high, p50, p95, p99, min, max } }: Kind): string {
  const write = (value: number) => si(value, "s", 4);
  return [
    `${name}: ${count(n)}`,
    `mean ${si(mean, "s", 4)} (${interval(low, high, write)})`,
    `median ${si(p50, "s", 4)}, 95 % ${si(p95, "s", 4)}, 99 % ${si(p99, "s", 4)}`,
    `from ${si(min, "s", 4)} to ${si(max, "s", 4)}`,
  ].join("\n");
}
