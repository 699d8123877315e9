// How many layers wait for memory, for peaks and bandwidths, as figure 3 of the ARADA paper counts them.

import { barX, pointerX, stackX, text as label, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { count, si } from "../base/format";
import { cssSeries, series } from "../base/palette";
import { chart } from "../charts/chart";
import type { JsonObject } from "../documents/document";
import { num, objects } from "../documents/document";

interface Held {
  machine: string;
  bound: string;
  layers: number;
}

const kinds = [["memory_bound", "wait for memory"], ["compute_bound", "held up by computing"]] as const;

const columns: readonly Column<Held>[] = [
  { key: "machine", label: "peak, bandwidth" },
  { key: "bound", label: "layers that" },
  { key: "layers", label: "how many" },
];

export function aradaFigure3(body: JsonObject, simulated: boolean): HTMLElement | null {
  const rows = objects(body, "figure_3").flatMap((point) => {
    const machine = `${si(num(point, "peak_operations_per_second"), "op/s")}, ${si(num(point, "bandwidth_bytes_per_second"), "B/s")}`;
    return kinds.flatMap(([key, bound]): readonly Held[] => {
      const layers = num(point, key);
      return layers === null ? [] : [{ machine, bound, layers }];
    });
  });
  if (rows.length === 0) return null;
  const machines = [...new Set(rows.map(({ machine }) => machine))];
  return chart({
    id: "arada-figure-3",
    title: "Figure 3: layers of EfficientNetB0 that wait for memory",
    caption: "The faster the array and the slower the memory, the more layers wait.",
    simulated,
    rows,
    columns,
    legend: kinds.map(([, bound], index) => ({ label: bound, colour: cssSeries(index === 0 ? 1 : 0) })),
    height: 60 + machines.length * 36,
    draw: ({ colours, narrow }) => {
      const colour = (row: Held) => series(row.bound === kinds[0][1] ? 1 : 0, colours);
      const stacked = { x: "layers", y: "machine", order: null };
      return {
        marginLeft: narrow ? 140 : 160,
        x: { label: "layers", grid: true },
        y: { label: null, domain: machines },
        marks: [
          barX(rows, stackX({ ...stacked, fill: colour, insetRight: 1 })),
          label(rows.filter((row) => row.layers > 3), stackX({ ...stacked, text: (row: Held) => count(row.layers), fill: colours.background })),
          tip(rows, pointerX(stackX({ ...stacked, title: (row: Held) => `${row.machine}\n${row.bound}: ${count(row.layers)}` }))),
        ],
      };
    },
  });
}
