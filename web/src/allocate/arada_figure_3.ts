// Number of memory-bound layers by peak rate and bandwidth, as figure 3 of the ARADA paper.

import { barX, pointerX, stackX, text as label, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { count, si } from "../base/format";
import { cssSeries, series } from "../base/palette";
import { chart } from "../charts/chart";
import type { JsonObject } from "../documents/document";
import { num, objects } from "../documents/document";

interface BoundCount {
  machine: string;
  bound: string;
  layers: number;
}

const kinds = [["memory_bound", "memory-bound"], ["compute_bound", "compute-bound"]] as const;

const columns: readonly Column<BoundCount>[] = [
  { key: "machine", label: "peak rate, bandwidth" },
  { key: "bound", label: "bound" },
  { key: "layers", label: "layers" },
];

export function aradaFigure3(body: JsonObject, simulated: boolean): HTMLElement | null {
  const rows = objects(body, "figure_3").flatMap((point) => {
    const machine = `${si(num(point, "peak_operations_per_second"), "op/s")}, ${si(num(point, "bandwidth_bytes_per_second"), "B/s")}`;
    return kinds.flatMap(([key, bound]): readonly BoundCount[] => {
      const layers = num(point, key);
      return layers === null ? [] : [{ machine, bound, layers }];
    });
  });
  if (rows.length === 0) return null;
  const machines = [...new Set(rows.map(({ machine }) => machine))];
  return chart({
    id: "arada-figure-3",
    title: "Figure 3: memory-bound layers of EfficientNetB0",
    caption: "More layers are memory-bound on faster arrays and slower memories.",
    simulated,
    rows,
    columns,
    legend: kinds.map(([, bound], index) => ({ label: bound, color: cssSeries(index === 0 ? 1 : 0) })),
    height: 60 + machines.length * 36,
    draw: ({ colors, narrow }) => {
      const color = (row: BoundCount) => series(row.bound === kinds[0][1] ? 1 : 0, colors);
      const stacked = { x: "layers", y: "machine", order: null };
      return {
        marginLeft: narrow ? 140 : 160,
        x: { label: "layers", grid: true },
        y: { label: null, domain: machines },
        marks: [
          barX(rows, stackX({ ...stacked, fill: color, insetRight: 1 })),
          label(rows.filter((row) => row.layers > 3), stackX({ ...stacked, text: (row: BoundCount) => count(row.layers), fill: colors.background })),
          tip(rows, pointerX(stackX({ ...stacked, title: (row: BoundCount) => `${row.machine}\n${row.bound}: ${count(row.layers)}` }))),
        ],
      };
    },
  });
}
