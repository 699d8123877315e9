// Savings for each memory, means over the networks, as figure 5 of the ARADA paper, and how late the schedules are.

import { dot, lineY, pointerX, tip } from "@observablehq/plot";
import type { PlotOptions } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { percent } from "../base/format";
import { cssSeries, series } from "../base/palette";
import type { Surface } from "../charts/chart";
import { smallMultiples } from "../charts/small_multiples";
import type { Configuration, Method } from "./arada";
import { meanOf, methods, signs } from "./arada";

interface Mean {
  accelerator: string;
  memory: string;
  what: string;
  method: Method;
  value: number | null;
}

const quantities = [
  { key: "saving", name: "energy saved", label: "energy saved (%)" },
  { key: "bandwidth", name: "bandwidth spared", label: "bandwidth spared (%)" },
  { key: "later", name: "later than promised", label: "later than promised (%)" },
] as const;

const columns: readonly Column<Mean>[] = [
  { key: "accelerator", label: "accelerator" },
  { key: "memory", label: "memory" },
  { key: "what", label: "of" },
  { key: "method", label: "scheme" },
  { key: "value", label: "mean of networks", format: (value) => percent(value, 2) },
];

export function aradaMemories(configurations: readonly Configuration[], simulated: boolean): HTMLElement | null {
  const accelerators = [...new Set(configurations.map(({ accelerator }) => accelerator))];
  if (accelerators.length === 0) return null;
  return smallMultiples({
    id: "arada-memories",
    title: "Figure 5: what each memory lets one save, and how late the schedules are",
    caption: "Means over the networks. Memories from the slowest to the fastest. Later: simulated at its clocks, beside what the scheme promises.",
    simulated,
    columns,
    legend: methods.map((method, index) => ({ label: `${method} (${signs[method]})`, colour: cssSeries(index), sign: "dot" as const })),
    height: 230,
    charts: accelerators.flatMap((accelerator) => {
      const own = configurations.filter((each) => each.accelerator === accelerator);
      return quantities.map(({ key, name, label }) => {
        const rows = own.flatMap(({ memory, results }) =>
          methods.map((method): Mean => ({ accelerator, memory, what: name, method, value: meanOf(results.filter((each) => each.method === method), key) })),
        );
        return { id: `arada-memories-${accelerator}-${key}`, title: `${accelerator}: ${name}`, rows, draw: (surface) => draw(rows, own.map(({ memory }) => memory), label, surface) };
      });
    }),
  });
}

function draw(rows: readonly Mean[], memories: readonly string[], label: string, { colours }: Surface): PlotOptions {
  const known = rows.filter((row) => row.value !== null);
  const colour = (row: Mean) => series(methods.indexOf(row.method), colours);
  return {
    marginLeft: 40,
    marginBottom: 74,
    x: { label: null, type: "point", domain: memories, tickRotate: -35 },
    y: { label, percent: true, grid: true, zero: true, ticks: 5 },
    marks: [
      lineY(known, { x: "memory", y: "value", z: "method", stroke: colour, strokeOpacity: 0.6 }),
      dot(known, { x: "memory", y: "value", stroke: colour, strokeWidth: 1.8, r: 3.5, symbol: (row: Mean) => signs[row.method] }),
      tip(known, pointerX({ x: "memory", y: "value", title: (row: Mean) => `${row.memory}: ${row.method}\n${row.what} ${percent(row.value, 2)}` })),
    ],
  };
}
