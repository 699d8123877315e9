// Savings and slowdown by memory, mean over the networks, as figure 5 of the ARADA paper.

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
  { key: "bandwidth", name: "bandwidth saved", label: "bandwidth saved (%)" },
  { key: "slowdown", name: "slowdown", label: "slowdown (%)" },
] as const;

const columns: readonly Column<Mean>[] = [
  { key: "accelerator", label: "accelerator" },
  { key: "memory", label: "memory" },
  { key: "what", label: "quantity" },
  { key: "method", label: "scheme" },
  { key: "value", label: "mean over networks", format: (value) => percent(value, 2) },
];

export function aradaMemories(configurations: readonly Configuration[], simulated: boolean): HTMLElement | null {
  const accelerators = [...new Set(configurations.map(({ accelerator }) => accelerator))];
  if (accelerators.length === 0) return null;
  return smallMultiples({
    id: "arada-memories",
    title: "Figure 5: savings and slowdown by memory",
    caption: "Mean over the networks. Memories from slowest to fastest. Slowdown: simulated relative to planned latency.",
    simulated,
    columns,
    legend: methods.map((method, index) => ({ label: `${method} (${signs[method]})`, color: cssSeries(index), sign: "dot" as const })),
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

function draw(rows: readonly Mean[], memories: readonly string[], label: string, { colors }: Surface): PlotOptions {
  const known = rows.filter((row) => row.value !== null);
  const color = (row: Mean) => series(methods.indexOf(row.method), colors);
  return {
    marginLeft: 40,
    marginBottom: 74,
    x: { label: null, type: "point", domain: memories, tickRotate: -35 },
    y: { label, percent: true, grid: true, zero: true, ticks: 5 },
    marks: [
      lineY(known, { x: "memory", y: "value", z: "method", stroke: color, strokeOpacity: 0.6 }),
      dot(known, { x: "memory", y: "value", stroke: color, strokeWidth: 1.8, r: 3.5, symbol: (row: Mean) => signs[row.method] }),
      tip(known, pointerX({ x: "memory", y: "value", title: (row: Mean) => `${row.memory}: ${row.method}\n${row.what} ${percent(row.value, 2)}` })),
    ],
  };
}
