// Values of the nearest telemetry sample compared with the mean over the event, as figures 1 and 3 of the TeraScope study.

import { arrow, dot, link, pointerY, tip } from "@observablehq/plot";
import type { PlotOptions } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { number, withUnit } from "../base/format";
import { cssColor, cssSeries, series } from "../base/palette";
import type { Surface } from "../charts/chart";
import { smallMultiples } from "../charts/small_multiples";
import { num, object } from "../documents/document";
import type { EventGroup, Metric } from "./analysis";
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
  { key: "metric", label: "metric" },
  { key: "unit", label: "unit" },
  { key: "nearest", label: "nearest sample" },
  { key: "interval", label: "mean over the event" },
  { key: "low", label: "low" },
  { key: "high", label: "high" },
];

export function joins(id: string, title: string, kinds: readonly EventGroup[], simulated: boolean): HTMLElement | null {
  if (kinds.length === 0) return null;
  return smallMultiples({
    id,
    title,
    caption:
      "Nearest: the telemetry samples next to START and STOP, often of an idle GPU. " +
      "Mean: from START to STOP, with its 95 % interval. A long arrow is a large error of the nearest sample.",
    simulated,
    columns,
    legend: [
      { label: "nearest sample", color: cssSeries(1), sign: "dot" },
      { label: "mean over the event", color: cssSeries(0), sign: "dot" },
      { label: "difference", color: cssColor("muted"), sign: "line" },
    ],
    height: 64 + kinds.length * 26,
    charts: metrics.map((metric) => {
      const rows = kinds.map((kind) => joined(kind, metric));
      return { id: `${id}-${metric.name}`, title: `${metric.name} (${metric.unit})`, rows, draw: (surface) => draw(rows, metric, surface) };
    }),
  });
}

function joined(kind: EventGroup, metric: Metric): Joined {
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

function draw(rows: readonly Joined[], metric: Metric, { colors }: Surface): PlotOptions {
  const both = rows.filter((row) => row.nearest !== null && row.interval !== null);
  const y = "name";
  return {
    marginLeft: 92,
    marginRight: 16,
    x: { label: `${metric.name} (${metric.unit})`, ticks: 3, grid: true, nice: true, zero: metric.name !== "temperature" },
    y: { label: null, type: "point", padding: 0.6, domain: rows.map((row) => row.name) },
    marks: [
      arrow(both, { x1: "nearest", x2: "interval", y, stroke: colors.muted, insetStart: 5, insetEnd: 6, headLength: 6 }),
      link(rows.filter((row) => row.low !== null && row.high !== null), { x1: "low", x2: "high", y, stroke: series(0, colors), strokeWidth: 2 }),
      dot(rows, { x: "nearest", y, stroke: series(1, colors), strokeWidth: 2, r: 4 }),
      dot(rows, { x: "interval", y, fill: series(0, colors), r: 4 }),
      tip(rows, pointerY({ x: (row: Joined) => row.interval ?? row.nearest, y, title: tipText })),
    ],
  };
}

function tipText(row: Joined): string {
  const range = row.low === null || row.high === null ? "" : ` (${number(row.low, 4)} to ${number(row.high, 4)})`;
  return `${row.name}: ${row.metric}\nnearest sample ${withUnit(row.nearest, row.unit)}\nmean ${withUnit(row.interval, row.unit)}${range}`;
}
