// Savings by network and configuration, as figures 6 and 7 of the ARADA paper.

import { dot, link, pointer, tip } from "@observablehq/plot";
import type { PlotOptions } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { change, percent } from "../base/format";
import { cssSeries, series } from "../base/palette";
import type { Surface } from "../charts/chart";
import { smallMultiples } from "../charts/small_multiples";
import type { Configuration, Result } from "./arada";
import { methods, signs } from "./arada";

const columns: readonly Column<Result>[] = [
  { key: "accelerator", label: "accelerator" },
  { key: "memory", label: "memory" },
  { key: "network", label: "network" },
  { key: "method", label: "scheme" },
  { key: "saving", label: "energy saved", format: (value) => percent(value, 2) },
  { key: "bandwidth", label: "bandwidth saved", format: (value) => percent(value, 2) },
  { key: "slowdown", label: "slowdown", format: (value) => change(value, 2) },
];

export function aradaNetworks(configurations: readonly Configuration[], simulated: boolean): HTMLElement | null {
  if (configurations.length === 0) return null;
  return smallMultiples({
    id: "arada-networks",
    title: "Figures 6 and 7: energy saved by network, accelerator and memory",
    caption: "A wide range between schemes means that clock switches and clock steps cost much.",
    simulated,
    columns,
    legend: methods.map((method, index) => ({ label: `${method} (${signs[method]})`, color: cssSeries(index), sign: "dot" as const })),
    height: 260,
    charts: configurations.map(({ title, accelerator, memory, results }) => ({
      id: `arada-networks-${accelerator}-${memory}`,
      title,
      rows: results,
      draw: (surface) => draw(results, surface),
    })),
  });
}

function draw(results: readonly Result[], { colors }: Surface): PlotOptions {
  const known = results.filter((result) => result.saving !== null);
  const networks = [...new Set(results.map(({ network }) => network))];
  const color = (result: Result) => series(methods.indexOf(result.method), colors);
  const ranges = networks.flatMap((network) => {
    const values = known.filter((result) => result.network === network).map((result) => result.saving ?? 0);
    return values.length === 0 ? [] : [{ network, low: Math.min(...values), high: Math.max(...values) }];
  });
  return {
    marginLeft: 124,
    x: { label: "energy saved (%)", percent: true, grid: true, ticks: 4, domain: [Math.min(0, ...ranges.map(({ low }) => low * 100)), 100] },
    y: { label: null, type: "point", padding: 0.6, domain: networks },
    marks: [
      link(ranges, { x1: "low", x2: "high", y: "network", stroke: colors.muted, strokeOpacity: 0.5 }),
      dot(known, { x: "saving", y: "network", stroke: color, strokeWidth: 1.8, r: 3.5, symbol: (result: Result) => signs[result.method] }),
      tip(known, pointer({ x: "saving", y: "network", title: tipText })),
    ],
  };
}

function tipText({ network, method, saving, bandwidth, slowdown }: Result): string {
  return `${network}: ${method}\nenergy saved ${percent(saving, 2)}\nbandwidth saved ${percent(bandwidth, 2)}\nslowdown ${change(slowdown, 2)}`;
}
