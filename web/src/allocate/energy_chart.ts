// Energy of each layer relative to the highest clock.

import { barY, dot, pointerX, ruleY, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { percent } from "../base/format";
import { cssColor, cssSeries, series } from "../base/palette";
import { chart } from "../charts/chart";
import type { Layer } from "./layers";
import { layerTitle } from "./layers";
import { fewTicks } from "./ticks";

const columns: readonly Column<Layer>[] = [
  { key: "index", label: "index" },
  { key: "name", label: "layer" },
  { key: "energy_ratio", label: "energy, by cycles", value: (layer) => layer.energyRatio, format: (value) => percent(value) },
  { key: "energy_ratio_eq6", label: "energy, eq. 6", value: (layer) => layer.energyRatioEq6, format: (value) => percent(value) },
];

export function layerEnergy(layers: readonly Layer[], simulated: boolean): HTMLElement | null {
  const known = layers.filter((layer) => layer.energyRatio !== null);
  if (known.length === 0) return null;
  return chart({
    id: "allocate-energy",
    title: "Energy by layer, relative to the highest clock",
    caption: "By cycles: the same cycles at a lower voltage. Eq. 6 of the ARADA paper also counts stalls and can exceed 100 %.",
    simulated,
    rows: layers,
    columns,
    legend: [
      { label: "by cycles", color: cssSeries(0) },
      { label: "eq. 6", color: cssColor("text"), sign: "dot" },
      { label: "highest clock", color: cssColor("muted"), sign: "dashed" },
    ],
    height: 260,
    draw: ({ colors, narrow }) => ({
      marginLeft: 48,
      x: { label: "layer", type: "band", domain: layers.map(({ index }) => index), ticks: fewTicks(layers.length, narrow) },
      y: { label: "energy (% of highest clock)", percent: true, grid: true, zero: true, ticks: 5 },
      marks: [
        ruleY([1], { stroke: colors.muted, strokeDasharray: "4 3" }),
        barY(known, { x: "index", y: "energyRatio", fill: series(0, colors) }),
        dot(known.filter((layer) => layer.energyRatioEq6 !== null), { x: "index", y: "energyRatioEq6", fill: colors.text, stroke: colors.background, r: 3.5 }),
        tip(known, pointerX({ x: "index", y: "energyRatio", title: (layer: Layer) => `${layerTitle(layer)}\n${percent(layer.energyRatio)} by cycles\n${percent(layer.energyRatioEq6)} eq. 6` })),
      ],
    }),
  });
}
