// Possible reduction of clock and bandwidth by layer, for two memories, as figure 8 of the ARADA paper.

import { barY, pointerX, tip } from "@observablehq/plot";
import type { PlotOptions } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { percent } from "../base/format";
import { cssSeries, series } from "../base/palette";
import type { Surface } from "../charts/chart";
import { smallMultiples } from "../charts/small_multiples";
import type { JsonObject } from "../documents/document";
import { object, objects } from "../documents/document";
import type { Layer } from "./layers";
import { layersOf, layerTitle } from "./layers";

interface Reduction extends Layer {
  memory: string;
  tops: number | null; // unused share of the array's rate
  band: number | null; // unused share of the bandwidth
}

const columns: readonly Column<Reduction>[] = [
  { key: "memory", label: "memory" },
  { key: "index", label: "index" },
  { key: "name", label: "layer" },
  { key: "bound", label: "bound" },
  { key: "tops_reduction", label: "TOPS reduction", value: (layer) => layer.tops, format: (value) => percent(value) },
  { key: "bandwidth_reduction", label: "bandwidth reduction", value: (layer) => layer.band, format: (value) => percent(value) },
];

export function aradaFigure8(body: JsonObject, simulated: boolean): HTMLElement | null {
  const found = object(body, "figure_8");
  const memories = Object.keys(found ?? {});
  if (memories.length === 0) return null;
  return smallMultiples({
    id: "arada-figure-8",
    title: "Figure 8: possible reduction by layer, MobileNet on the HPC TPU",
    caption: "Up: possible reduction of the clock. Down: possible reduction of the bandwidth. Layers with neither are balanced.",
    simulated,
    columns,
    legend: [{ label: "TOPS reduction", color: cssSeries(0) }, { label: "bandwidth reduction", color: cssSeries(2) }],
    height: 240,
    charts: memories.map((memory) => {
      const rows = layersOf(objects(found, memory), null).map((layer) => reductionOf(layer, memory));
      return { id: `arada-figure-8-${memory}`, title: memory, rows, draw: (surface) => draw(rows, surface) };
    }),
  });
}

function reductionOf(layer: Layer, memory: string): Reduction {
  return {
    ...layer, memory,
    // In the paper voltage is proportional to the clock, so both have the same ratio.
    tops: layer.voltageRatio === null ? null : 1 - layer.voltageRatio,
    band: layer.bandwidthRatio === null ? null : 1 - layer.bandwidthRatio,
  };
}

function draw(rows: readonly Reduction[], { colors }: Surface): PlotOptions {
  return {
    marginLeft: 44,
    x: { label: "layer", type: "band", domain: rows.map(({ index }) => index), ticks: rows.map(({ index }) => index).filter((index) => index % 5 === 0) },
    y: { label: "reduction (%)", percent: true, grid: true, domain: [-100, 100], tickFormat: (value: number) => String(Math.abs(value)), ticks: 5 },
    marks: [
      barY(rows, { x: "index", y: "tops", fill: series(0, colors) }),
      barY(rows, { x: "index", y: (row: Reduction) => (row.band === null ? null : -row.band), fill: series(2, colors) }),
      tip(rows, pointerX({ x: "index", y: "tops", title: (row: Reduction) => `${layerTitle(row)}\nTOPS reduction ${percent(row.tops)}\nbandwidth reduction ${percent(row.band)}` })),
    ],
  };
}
