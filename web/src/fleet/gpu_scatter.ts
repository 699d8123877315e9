// Metrics and task duration of each GPU, as figure 5 of the TeraScope study.

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
  { key: "population", label: "group" },
  { key: "render_seconds", label: "task duration", unit: "s" },
  ...metrics.map(({ key, name, unit }): Column<Gpu> => ({ key, label: name, unit, value: (gpu) => num(gpu.body, key) })),
  { key: "tasks", label: "tasks", format: (value) => count(value) },
];

export function gpuScatter(gpus: readonly Gpu[], populations: number, simulated: boolean): HTMLElement | null {
  if (gpus.length === 0) return null;
  return smallMultiples({
    id: "fleet-gpus",
    title: "Task duration and metrics of each GPU",
    caption: "One dot per GPU: means over all telemetry samples. An apparent correlation may be a difference between two groups.",
    simulated,
    columns,
    legend: Array.from({ length: Math.max(1, populations) }, (_, index) => ({
      label: populationName(index, populations), color: cssSeries(index), sign: "dot" as const,
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

function draw(gpus: readonly Gpu[], metric: Metric, populations: number, { colors }: Surface): PlotOptions {
  const x = (gpu: Gpu) => num(gpu.body, metric.key);
  const known = gpus.filter((gpu) => x(gpu) !== null && gpu.render_seconds !== null);
  const color = (gpu: Gpu) => (gpu.population === null ? colors.muted : series(gpu.population, colors));
  const about = (gpu: Gpu) =>
    `${gpu.host}\n${populationName(gpu.population, populations)}\n${si(gpu.render_seconds, "s", 4)} per task\n${metric.name} ${withUnit(x(gpu), metric.unit)}`;
  return {
    marginLeft: 40,
    x: { label: `${metric.name} (${metric.unit})`, ticks: 5, nice: true },
    y: { label: "task duration (s)", grid: true, ticks: 5, nice: true },
    marks: [
      dot(known, { x, y: "render_seconds", fill: color, fillOpacity: 0.7, r: known.length > 400 ? 2 : 3, symbol: (gpu: Gpu) => (gpu.population === 1 ? "diamond" : "circle") }),
      tip(known, pointer({ x, y: "render_seconds", title: about })),
    ],
  };
}
