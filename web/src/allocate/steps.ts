// A quantity along the layers as steps: one tread for each layer, two where the layer changes its clock halfway.

import { areaY, dot, lineY, pointerX, ruleY, tip } from "@observablehq/plot";
import type { PlotOptions } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { cssColour, cssSeries, series } from "../base/palette";
import type { Surface } from "../charts/chart";
import { chart } from "../charts/chart";
import type { LegendEntry } from "../charts/legend";
import type { Bound, Layer } from "./layers";
import { bounds, layerTitle } from "./layers";

export interface Tread {
  from: number; // place of the layer, from 0
  to: number;
  value: number;
}

export interface StepsOptions {
  id: string;
  title: string;
  caption?: string;
  label: string; // of the axis, with its unit
  colour: number; // of the series
  factor: number; // values are divided by it: 1e6 for MHz
  most: number | null; // what the hardware can do at most
  treads: (layer: Layer) => readonly Tread[];
  write: (layer: Layer) => string; // in the tip
  columns: readonly Column<Layer>[];
}

const boundNames: Readonly<Record<Bound, string>> = { memory: "waits for memory", compute: "has bandwidth to spare", balanced: "balanced" };
const boundSeries: Readonly<Record<Bound, number>> = { memory: 1, compute: 2, balanced: 6 };

export function steps(layers: readonly Layer[], simulated: boolean, options: StepsOptions): HTMLElement | null {
  if (layers.every((layer) => options.treads(layer).length === 0)) return null;
  const { id, title, columns } = options;
  return chart({
    id,
    title,
    ...(options.caption === undefined ? {} : { caption: options.caption }),
    simulated,
    rows: layers,
    columns,
    legend: legendOf(layers, options.most !== null),
    height: 260,
    draw: (surface) => draw(layers, options, surface),
  });
}

function legendOf(layers: readonly Layer[], most: boolean): readonly LegendEntry[] {
  const present = bounds.filter((bound) => layers.some((layer) => layer.bound === bound));
  return [
    ...present.map((bound): LegendEntry => ({ label: boundNames[bound], colour: cssSeries(boundSeries[bound]), sign: "dot" })),
    ...(most ? [{ label: "the most there is", colour: cssColour("muted"), sign: "dashed" } as const] : []),
  ];
}

function draw(layers: readonly Layer[], options: StepsOptions, { narrow, colours }: Surface): PlotOptions {
  const { factor, treads, most } = options;
  const corners = layers.flatMap((layer) => treads(layer).flatMap(({ from, to, value }) => [{ x: from + 0.5, y: value / factor }, { x: to + 0.5, y: value / factor }]));
  const known = layers.filter((layer) => treads(layer).length > 0);
  const top = (layer: Layer) => (treads(layer)[0]?.value ?? 0) / factor;
  const colour = series(options.colour, colours);
  return {
    marginLeft: 48,
    x: { label: "layer", domain: [0.5, layers.length + 0.5], ticks: Math.min(layers.length, narrow ? 6 : 14), tickFormat: (place: number) => (Number.isInteger(place) ? String(place) : "") },
    y: { label: options.label, grid: true, zero: true, nice: true, ticks: 5 },
    marks: [
      ...(most === null ? [] : [ruleY([most / factor], { stroke: colours.muted, strokeDasharray: "4 3" })]),
      areaY(corners, { x: "x", y1: 0, y2: "y", fill: colour, fillOpacity: 0.15 }),
      lineY(corners, { x: "x", y: "y", stroke: colour, strokeWidth: 2 }),
      dot(known, { x: "place", y: top, r: layers.length > 60 ? 2 : 3.5, fill: (layer: Layer) => (layer.bound === null ? colours.muted : series(boundSeries[layer.bound], colours)) }),
      tip(known, pointerX({ x: "place", y: top, title: (layer: Layer) => `${layerTitle(layer)}\n${options.write(layer)}` })),
    ],
  };
}
