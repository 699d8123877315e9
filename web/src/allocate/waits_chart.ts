// How long each layer takes and how much of that it waits, at full speed and at the chosen clocks.

import { barY, pointerX, tickY, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { percent, si } from "../base/format";
import { cssColour, cssSeries, series } from "../base/palette";
import { scaleFor } from "../charts/axis_scale";
import { chart } from "../charts/chart";
import type { Layer } from "./layers";
import { layerTitle } from "./layers";
import { fewTicks } from "./ticks";

const seconds = (value: number) => si(value, "s");

const columns: readonly Column<Layer>[] = [
  { key: "place", label: "place" },
  { key: "name", label: "layer" },
  { key: "time_resimulated_seconds", label: "time, simulated", value: (layer) => layer.resimulated, format: seconds },
  { key: "stall_seconds", label: "of it waiting", value: (layer) => layer.waiting, format: seconds },
  { key: "time_seconds", label: "time as the scheme sees it", value: (layer) => layer.promised, format: seconds },
  { key: "full_speed_seconds", label: "time at full speed", value: (layer) => layer.full, format: seconds },
  { key: "full_speed_stall_seconds", label: "of it waiting", value: (layer) => layer.fullWaiting, format: seconds },
];

export function waitsChart(layers: readonly Layer[], simulated: boolean): HTMLElement | null {
  const known = layers.filter((layer) => layer.resimulated !== null);
  if (known.length === 0) return null;
  return chart({
    id: "allocate-stalls",
    title: "How long each layer takes, and how much of that it waits for memory",
    simulated,
    rows: layers,
    columns,
    legend: [
      { label: "works", colour: cssSeries(0) },
      { label: "waits", colour: cssSeries(1) },
      { label: "at full speed", colour: cssColour("text"), sign: "line" },
    ],
    height: 260,
    draw: ({ colours, narrow }) => {
      const scale = scaleFor(known.map((layer) => Math.max(layer.resimulated ?? 0, layer.full ?? 0)), "s");
      const time = (layer: Layer) => (layer.resimulated ?? 0) / scale.factor;
      const work = (layer: Layer) => time(layer) - (layer.waiting ?? 0) / scale.factor;
      return {
        marginLeft: 48,
        x: { label: "layer", type: "band", domain: layers.map(({ place }) => place), ticks: fewTicks(layers.length, narrow) },
        y: { label: `time (${scale.unit})`, grid: true, zero: true, ticks: 5 },
        marks: [
          barY(known, { x: "place", y1: 0, y2: work, fill: series(0, colours) }),
          barY(known, { x: "place", y1: work, y2: time, fill: series(1, colours) }),
          tickY(known.filter((layer) => layer.full !== null), { x: "place", y: (layer: Layer) => (layer.full ?? 0) / scale.factor, stroke: colours.text, strokeWidth: 2 }),
          tip(known, pointerX({ x: "place", y: time, title: tipText })),
        ],
      };
    },
  });
}

function tipText(layer: Layer): string {
  const share = (part: number | null, whole: number | null) => (part === null || !whole ? "unknown" : percent(part / whole));
  return [
    layerTitle(layer),
    `${si(layer.resimulated, "s", 4)}, waits ${share(layer.waiting, layer.resimulated)}`,
    `at full speed ${si(layer.full, "s", 4)}, waits ${share(layer.fullWaiting, layer.full)}`,
  ].join("\n");
}
