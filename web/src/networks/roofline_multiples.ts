// Roofline charts with the same axes, as figure 3 of the ARADA paper.

import type { Column } from "../base/columns";
import { number, si } from "../base/format";
import { cssColor } from "../base/palette";
import { smallMultiples } from "../charts/small_multiples";
import { kindLegend } from "./layer_kinds";
import type { RoofShape, Spot } from "./roofline_picture";
import { frameFor, roofline } from "./roofline_picture";

export interface RoofPicture {
  id: string; // within the group
  title: string;
  roof: RoofShape;
  spots: readonly Spot[];
}

interface Row extends Spot {
  picture: string;
}

const columns: readonly Column<Row>[] = [
  { key: "roof", label: "roof", value: (row) => row.picture },
  { key: "name", label: "name" },
  { key: "kind", label: "kind" },
  { key: "operations_per_byte", label: "operations per byte", value: (row) => row.intensity, format: (value) => number(value) },
  { key: "attainable_operations_per_second", label: "attainable", value: (row) => row.attainable, format: (value) => si(value, "op/s") },
  { key: "attained_operations_per_second", label: "attained", value: (row) => row.attained, format: (value) => si(value, "op/s") },
  { key: "bound", label: "bound" },
];

export function rooflines(options: { id: string; title: string; caption: string; simulated: boolean; pictures: readonly RoofPicture[] }): HTMLElement {
  const spots = options.pictures.flatMap((picture) => picture.spots);
  const frame = frameFor(spots, options.pictures.map((picture) => picture.roof));
  return smallMultiples<Row>({
    id: options.id,
    title: options.title,
    caption: options.caption,
    simulated: options.simulated,
    columns,
    height: 260,
    legend: [
      { label: "roof", color: cssColor("text"), sign: "line" },
      { label: "ridge point: memory-bound to its left", color: cssColor("muted"), sign: "dashed" },
      ...kindLegend(spots.map((spot) => spot.kind)),
    ],
    charts: options.pictures.map((picture) => ({
      id: `${options.id}-${picture.id}`,
      title: picture.title,
      rows: () => picture.spots.map((spot) => ({ ...spot, picture: picture.title })),
      draw: (surface) => roofline(picture.roof, picture.spots, frame, surface),
    })),
  });
}
