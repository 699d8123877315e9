// The nearest sample beside the whole interval, as figures 1 and 3 of the TeraScope study and what they should have been.

import { arrow, dot, link, pointerY, tip } from "@observablehq/plot";
import type { PlotOptions } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { number, withUnit } from "../base/format";
import { cssColour, cssSeries, series } from "../base/palette";
import type { Surface } from "../charts/chart";
import { smallMultiples } from "../charts/small_multiples";
import { num, object } from "../documents/document";
import type { Kind, Metric } from "./analysis";
import { metrics } from "./analysis";

interface Joined {
  name: string;
  metric: string;
  unit: string;
  nearest: number | null;
  interval: number | null;
  low: number | null;
  high: number | null;
}

const columns: readonly Column<Joined>[] = [
  { key: "name", label: "event" },
  { key: "metric", label: "of" },
  { key: "unit", label: "unit" },
  { key: "nearest", label: "by the nearest sample" },
  { key: "interval", label: "over the interval" },
  { key: "low", label: "from" },
  { key: "high", label: "to" },
];

export function joins(id: string, title: string, kinds: readonly Kind[], simulated: boolean): HTMLElement | null {
  if (kinds.length === 0) return null;
  return smallMultiples({
    id,
    title,
    caption:
      "Nearest: the samples next to START and STOP, between which the work lies, so that they show a resting GPU. " +
      "Interval: the mean from START to STOP, with its 95 % interval. The longer the arrow, the further the nearest sample misleads.",
    simulated,
    columns,
    legend: [
      { label: "nearest sample", colour: cssSeries(1), sign: "dot" },
      { label: "over the interval", colour: cssSeries(0), sign: "dot" },
      { label: "the difference", colour: cssColour("muted"), sign: "line" },
    ],
    height: 64 + kinds.length * 26,
    charts: metrics.map((metric) => {
      const rows = kinds.map((kind) => joined(kind, metric));
      return { id: `${id}-${metric.name}`, title: `${metric.name} (${metric.unit})`, rows, draw: (surface) => draw(rows, metric, surface) };
    }),
  });
}

function joined(kind: Kind, metric: Metric): Joined {
  return {
    name: kind.name,
    metric: metric.name,
    unit: metric.unit,
    nearest: num(kind.nearest, metric.key),
    interval: num(kind.interval, metric.key),
    low: num(object(kind.interval, "low"), metric.key),
    high: num(object(kind.interval, "high"), metric.key),
  };
}

function draw(rows: readonly Joined[], metric: Metric, { colours }: Surface): PlotOptions {
  const both = rows.filter((row) => row.nearest !== null && row.interval !== null);
  const y = "name";
  return {
    marginLeft: 92,
    marginRight: 16,
    x: { label: `${metric.name} (${metric.unit})`, ticks: 4, grid: true, nice: true, zero: metric.name !== "temperature" },
    y: { label: null, type: "point", padding: 0.6, domain: rows.map((row) => row.name) },
    marks: [
      arrow(both, { x1: "nearest", x2: "interval", y, stroke: colours.muted, insetStart: 5, insetEnd: 6, headLength: 6 }),
      link(rows.filter((row) => row.low !== null && row.high !== null), { x1: "low", x2: "high", y, stroke: series(0, colours), strokeWidth: 2 }),
      dot(rows, { x: "nearest", y, stroke: series(1, colours), strokeWidth: 2, r: 4 }),
      dot(rows, { x: "interval", y, fill: series(0, colours), r: 4 }),
      tip(rows, pointerY({ x: (row: Joined) => row.interval ?? row.nearest, y, title: tipText })),
    ],
  };
}

function tipText(row: Joined): string {
  const range = row.low === null || row.high === null ? "" : ` (${number(row.low, 4)} to ${number(row.high, 4)})`;
  return `${row.name}: ${row.metric}\nnearest sample ${withUnit(row.nearest, row.unit)}\ninterval ${withUnit(row.interval, row.unit)}${range}`;
}
