// What each layer takes of the energy it takes at full speed.

import { barY, dot, pointerX, ruleY, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { percent } from "../base/format";
import { cssColour, cssSeries, series } from "../base/palette";
import { chart } from "../charts/chart";
import type { Layer } from "./layers";
import { layerTitle } from "./layers";
import { fewTicks } from "./ticks";

const columns: readonly Column<Layer>[] = [
  { key: "place", label: "place" },
  { key: "name", label: "layer" },
  { key: "energy_ratio", label: "energy, by work", value: (layer) => layer.energyRatio, format: (value) => percent(value) },
  { key: "energy_ratio_eq6", label: "energy, by eq. 6", value: (layer) => layer.energyRatioEq6, format: (value) => percent(value) },
];

export function layerEnergy(layers: readonly Layer[], simulated: boolean): HTMLElement | null {
  const known = layers.filter((layer) => layer.energyRatio !== null);
  if (known.length === 0) return null;
  return chart({
    id: "allocate-energy",
    title: "Energy of each layer, of what it takes at full speed",
    caption: "By work: the same cycles at a lower voltage. By eq. 6 of the ARADA paper: as printed there, which charges waiting too and can exceed 100 %.",
    simulated,
    rows: layers,
    columns,
    legend: [
      { label: "by work", colour: cssSeries(0) },
      { label: "by eq. 6", colour: cssColour("text"), sign: "dot" },
      { label: "at full speed", colour: cssColour("muted"), sign: "dashed" },
    ],
    height: 260,
    draw: ({ colours, narrow }) => ({
      marginLeft: 48,
      x: { label: "layer", type: "band", domain: layers.map(({ place }) => place), ticks: fewTicks(layers.length, narrow) },
      y: { label: "energy (% of full speed)", percent: true, grid: true, zero: true, ticks: 5 },
      marks: [
        ruleY([1], { stroke: colours.muted, strokeDasharray: "4 3" }),
        barY(known, { x: "place", y: "energyRatio", fill: series(0, colours) }),
        dot(known.filter((layer) => layer.energyRatioEq6 !== null), { x: "place", y: "energyRatioEq6", fill: colours.text, stroke: colours.background, r: 3.5 }),
        tip(known, pointerX({ x: "place", y: "energyRatio", title: (layer: Layer) => `${layerTitle(layer)}\n${percent(layer.energyRatio)} by work\n${percent(layer.energyRatioEq6)} by eq. 6` })),
      ],
    }),
  });
}
