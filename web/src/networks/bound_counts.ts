// Number of memory-bound and compute-bound layers for each roof, as figure 3 of the ARADA paper.

import { barX, pointerY, stackX, text as label, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { cssSeries } from "../base/palette";
import { chart } from "../charts/chart";
import type { RoofPicture } from "./roofline_multiples";

const bounds = ["memory", "compute"] as const;
const names = { memory: "memory-bound", compute: "compute-bound" } as const;

interface Count {
  roof: string;
  bound: (typeof bounds)[number];
  layers: number;
}

const columns: readonly Column<Count>[] = [
  { key: "roof", label: "roof" },
  { key: "bound", label: "bound" },
  { key: "layers", label: "count" },
];

export function boundCounts(options: { id: string; what: string; simulated: boolean; pictures: readonly RoofPicture[] }): HTMLElement {
  const { pictures, what } = options;
  const counts = pictures.flatMap((picture) =>
    bounds.map((bound): Count => ({ roof: picture.title, bound, layers: picture.spots.filter((spot) => spot.bound === bound).length })),
  );
  return chart({
    id: options.id,
    title: `Memory-bound and compute-bound ${what}`,
    simulated: options.simulated,
    columns,
    rows: counts,
    legend: bounds.map((bound, index) => ({ label: names[bound], color: cssSeries(index) })),
    height: 56 + pictures.length * 26,
    draw: ({ colors, narrow }) => {
      const stacked = { x: "layers", y: "roof" } as const;
      return {
        marginLeft: narrow ? 130 : 210,
        x: { label: what, ticks: narrow ? 4 : 8 },
        y: { label: null, domain: pictures.map((picture) => picture.title), tickFormat: (title: string) => (narrow ? title.replace(/, .*/, "") : title) },
        marks: [
          barX(counts, stackX({ ...stacked, fill: (count: Count) => colors.series[bounds.indexOf(count.bound)] ?? "", insetRight: 1 })),
          label(counts.filter((count) => count.layers > 0), stackX({ ...stacked, text: (count: Count) => String(count.layers), fill: colors.background })),
          tip(counts, pointerY(stackX({ ...stacked, title: (count: Count) => `${count.roof}\n${count.layers} ${what}: ${names[count.bound]}` }))),
        ],
      };
    },
  });
}
