// Each GPU by what it shows and how long its tasks take, as figure 5 of the TeraScope study.

import { dot, pointer, tip } from "@observablehq/plot";
import type { PlotOptions } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { count, si, withUnit } from "../base/format";
import { cssSeries, series } from "../base/palette";
import type { Surface } from "../charts/chart";
import { smallMultiples } from "../charts/small_multiples";
import { num } from "../documents/document";
import type { Gpu, Metric } from "./analysis";
import { metrics, populationName } from "./analysis";

const columns: readonly Column<Gpu>[] = [
  { key: "host", label: "host" },
  { key: "uuid", label: "GPU" },
  { key: "population", label: "population" },
  { key: "render_seconds", label: "task", unit: "s" },
  ...metrics.map(({ key, name, unit }): Column<Gpu> => ({ key, label: name, unit, value: (gpu) => num(gpu.body, key) })),
  { key: "tasks", label: "tasks", format: (value) => count(value) },
];

export function gpuScatter(gpus: readonly Gpu[], populations: number, simulated: boolean): HTMLElement | null {
  if (gpus.length === 0) return null;
  return smallMultiples({
    id: "fleet-gpus",
    title: "Each GPU: how long its tasks take, and what it shows meanwhile",
    caption: "One dot is one GPU, by its means over all samples. What looks like one slope over all may be two clouds.",
    simulated,
    columns,
    legend: Array.from({ length: Math.max(1, populations) }, (_, index) => ({
      label: populationName(index, populations), colour: cssSeries(index), sign: "dot" as const,
    })),
    height: 230,
    charts: metrics.map((metric) => ({
      id: `fleet-gpus-${metric.name}`,
      title: metric.name,
      rows: gpus,
      draw: (surface) => draw(gpus, metric, populations, surface),
    })),
  });
}

function draw(gpus: readonly Gpu[], metric: Metric, populations: number, { colours }: Surface): PlotOptions {
  const x = (gpu: Gpu) => num(gpu.body, metric.key);
  const known = gpus.filter((gpu) => x(gpu) !== null && gpu.render_seconds !== null);
  const colour = (gpu: Gpu) => (gpu.population === null ? colours.muted : series(gpu.population, colours));
  const about = (gpu: Gpu) =>
    `${gpu.host}\n${populationName(gpu.population, populations)}\n${si(gpu.render_seconds, "s", 4)} a task\n${metric.name} ${withUnit(x(gpu), metric.unit)}`;
  return {
    marginLeft: 40,
    x: { label: `${metric.name} (${metric.unit})`, ticks: 5, nice: true },
    y: { label: "a task takes (s)", grid: true, ticks: 5, nice: true },
    marks: [
      dot(known, { x, y: "render_seconds", fill: colour, fillOpacity: 0.7, r: known.length > 400 ? 2 : 3, symbol: (gpu: Gpu) => (gpu.population === 1 ? "diamond" : "circle") }),
      tip(known, pointer({ x, y: "render_seconds", title: about })),
    ],
  };
}
