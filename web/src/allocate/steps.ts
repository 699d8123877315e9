// A quantity of each layer as steps: one segment per layer, two if the layer switches its clock.

import { areaY, dot, lineY, pointerX, ruleY, tip } from "@observablehq/plot";
import type { PlotOptions } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { cssColor, cssSeries, series } from "../base/palette";
import type { Surface } from "../charts/chart";
import { chart } from "../charts/chart";
import type { LegendEntry } from "../charts/legend";
import type { Bound, Layer } from "./layers";
import { boundNames, bounds, layerTitle } from "./layers";

export interface Segment {
  from: number; // index of the layer, from 0
  to: number;
  value: number;
}

export interface StepsOptions {
  id: string;
  title: string;
  caption?: string;
  label: string; // of the axis, with its unit
  color: number; // of the series
  factor: number; // values are divided by it: 1e6 for MHz
  max: number | null; // of the hardware
  segments: (layer: Layer) => readonly Segment[];
  write: (layer: Layer) => string; // in the tip
  columns: readonly Column<Layer>[];
}

const boundSeries: Readonly<Record<Bound, number>> = { memory: 1, compute: 2, balanced: 6 };

export function steps(layers: readonly Layer[], simulated: boolean, options: StepsOptions): HTMLElement | null {
  if (layers.every((layer) => options.segments(layer).length === 0)) return null;
  const { id, title, columns } = options;
  return chart({
    id,
    title,
    ...(options.caption === undefined ? {} : { caption: options.caption }),
    simulated,
    rows: layers,
    columns,
    legend: legendOf(layers, options.max !== null),
    height: 260,
    draw: (surface) => draw(layers, options, surface),
  });
}

function legendOf(layers: readonly Layer[], max: boolean): readonly LegendEntry[] {
  const present = bounds.filter((bound) => layers.some((layer) => layer.bound === bound));
  return [
    ...present.map((bound): LegendEntry => ({ label: boundNames[bound], color: cssSeries(boundSeries[bound]), sign: "dot" })),
    ...(max ? [{ label: "max of the hardware", color: cssColor("muted"), sign: "dashed" } as const] : []),
  ];
}

function draw(layers: readonly Layer[], options: StepsOptions, { narrow, colors }: Surface): PlotOptions {
  const { factor, segments, max } = options;
  const corners = layers.flatMap((layer) => segments(layer).flatMap(({ from, to, value }) => [{ x: from + 0.5, y: value / factor }, { x: to + 0.5, y: value / factor }]));
  const known = layers.filter((layer) => segments(layer).length > 0);
  const top = (layer: Layer) => (segments(layer)[0]?.value ?? 0) / factor;
  const color = series(options.color, colors);
  return {
    marginLeft: 48,
    x: { label: "layer", domain: [0.5, layers.length + 0.5], ticks: Math.min(layers.length, narrow ? 6 : 14), tickFormat: (index: number) => (Number.isInteger(index) ? String(index) : "") },
    y: { label: options.label, grid: true, zero: true, nice: true, ticks: 5 },
    marks: [
      ...(max === null ? [] : [ruleY([max / factor], { stroke: colors.muted, strokeDasharray: "4 3" })]),
      areaY(corners, { x: "x", y1: 0, y2: "y", fill: color, fillOpacity: 0.15 }),
      lineY(corners, { x: "x", y: "y", stroke: color, strokeWidth: 2 }),
      dot(known, { x: "index", y: top, r: layers.length > 60 ? 2 : 3.5, fill: (layer: Layer) => (layer.bound === null ? colors.muted : series(boundSeries[layer.bound], colors)) }),
      tip(known, pointerX({ x: "index", y: top, title: (layer: Layer) => `${layerTitle(layer)}\n${options.write(layer)}` })),
    ],
  };
}
