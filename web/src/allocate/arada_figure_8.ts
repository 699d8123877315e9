// What each layer can spare of clock and bandwidth, for two memories, as figure 8 of the ARADA paper.

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

interface Spared extends Layer {
  memory: string;
  tops: number | null; // share of the array's rate that is not used
  band: number | null; // share of the bandwidth
}

const columns: readonly Column<Spared>[] = [
  { key: "memory", label: "memory" },
  { key: "place", label: "place" },
  { key: "name", label: "layer" },
  { key: "bound", label: "bound" },
  { key: "tops_reduction", label: "TOPS less", value: (layer) => layer.tops, format: (value) => percent(value) },
  { key: "bandwidth_reduction", label: "bandwidth less", value: (layer) => layer.band, format: (value) => percent(value) },
];

export function aradaFigure8(body: JsonObject, simulated: boolean): HTMLElement | null {
  const found = object(body, "figure_8");
  const memories = Object.keys(found ?? {});
  if (memories.length === 0) return null;
  return smallMultiples({
    id: "arada-figure-8",
    title: "Figure 8: what each layer of MobileNet can spare on the HPC TPU",
    caption: "Up: how much slower the array may run. Down: how much bandwidth is left over. Layers with neither are at an efficient point.",
    simulated,
    columns,
    legend: [{ label: "TOPS less", colour: cssSeries(0) }, { label: "bandwidth less", colour: cssSeries(2) }],
    height: 240,
    charts: memories.map((memory) => {
      const rows = layersOf(objects(found, memory), null).map((layer) => spared(layer, memory));
      return { id: `arada-figure-8-${memory}`, title: memory, rows, draw: (surface) => draw(rows, surface) };
    }),
  });
}

function spared(layer: Layer, memory: string): Spared {
  return {
    ...layer, memory,
    // Voltage is in proportion to the clock in the paper, so its ratio is the clock's.
    tops: layer.clockRatio === null ? null : 1 - layer.clockRatio,
    band: layer.bandwidthRatio === null ? null : 1 - layer.bandwidthRatio,
  };
}

function draw(rows: readonly Spared[], { colours }: Surface): PlotOptions {
  return {
    marginLeft: 44,
    x: { label: "layer", type: "band", domain: rows.map(({ place }) => place), ticks: rows.map(({ place }) => place).filter((place) => place % 5 === 0) },
    y: { label: "spared (%)", percent: true, grid: true, domain: [-100, 100], tickFormat: (value: number) => String(Math.abs(value)), ticks: 5 },
    marks: [
      barY(rows, { x: "place", y: "tops", fill: series(0, colours) }),
      barY(rows, { x: "place", y: (row: Spared) => (row.band === null ? null : -row.band), fill: series(2, colours) }),
      tip(rows, pointerX({ x: "place", y: "tops", title: (row: Spared) => `${layerTitle(row)}\nTOPS less ${percent(row.tops)}\nbandwidth less ${percent(row.band)}` })),
    ],
  };
}
