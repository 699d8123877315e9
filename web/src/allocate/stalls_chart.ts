// Time and stalls of each layer, at the highest clock and at the scheduled clocks.

import { barY, pointerX, tickY, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { percent, si } from "../base/format";
import { cssColor, cssSeries, series } from "../base/palette";
import { scaleFor } from "../charts/axis_scale";
import { chart } from "../charts/chart";
import type { Layer } from "./layers";
import { layerTitle } from "./layers";
import { fewTicks } from "./ticks";

const seconds = (value: number) => si(value, "s");

const columns: readonly Column<Layer>[] = [
  { key: "index", label: "index" },
  { key: "name", label: "layer" },
  { key: "time_resimulated_seconds", label: "simulated time", value: (layer) => layer.resimulated, format: seconds },
  { key: "stall_seconds", label: "stalled", value: (layer) => layer.stalled, format: seconds },
  { key: "time_seconds", label: "planned time", value: (layer) => layer.planned, format: seconds },
  { key: "full_speed_seconds", label: "time at the highest clock", value: (layer) => layer.full, format: seconds },
  { key: "full_speed_stall_seconds", label: "stalled at the highest clock", value: (layer) => layer.fullStalled, format: seconds },
];

export function stallsChart(layers: readonly Layer[], simulated: boolean): HTMLElement | null {
  const known = layers.filter((layer) => layer.resimulated !== null);
  if (known.length === 0) return null;
  return chart({
    id: "allocate-stalls",
    title: "Time and stalls by layer",
    simulated,
    rows: layers,
    columns,
    legend: [
      { label: "computing", color: cssSeries(0) },
      { label: "stalled", color: cssSeries(1) },
      { label: "highest clock", color: cssColor("text"), sign: "line" },
    ],
    height: 260,
    draw: ({ colors, narrow }) => {
      const scale = scaleFor(known.map((layer) => Math.max(layer.resimulated ?? 0, layer.full ?? 0)), "s");
      const time = (layer: Layer) => (layer.resimulated ?? 0) / scale.factor;
      const work = (layer: Layer) => time(layer) - (layer.stalled ?? 0) / scale.factor;
      return {
        marginLeft: 48,
        x: { label: "layer", type: "band", domain: layers.map(({ index }) => index), ticks: fewTicks(layers.length, narrow) },
        y: { label: `time (${scale.unit})`, grid: true, zero: true, ticks: 5 },
        marks: [
          barY(known, { x: "index", y1: 0, y2: work, fill: series(0, colors) }),
          barY(known, { x: "index", y1: work, y2: time, fill: series(1, colors) }),
          tickY(known.filter((layer) => layer.full !== null), { x: "index", y: (layer: Layer) => (layer.full ?? 0) / scale.factor, stroke: colors.text, strokeWidth: 2 }),
          tip(known, pointerX({ x: "index", y: time, title: tipText })),
        ],
      };
    },
  });
}

function tipText(layer: Layer): string {
  const share = (part: number | null, whole: number | null) => (part === null || !whole ? "unknown" : percent(part / whole));
  return [
    layerTitle(layer),
    `${si(layer.resimulated, "s", 4)}, stalled ${share(layer.stalled, layer.resimulated)}`,
    `highest clock ${si(layer.full, "s", 4)}, stalled ${share(layer.fullStalled, layer.full)}`,
  ].join("\n");
}
