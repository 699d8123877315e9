// Throughput and power by batch, as figure 1 of the BatchSizer paper.

import { dot, lineY, pointerX, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { number, withUnit } from "../base/format";
import { cssSeries } from "../base/palette";
import { smallMultiples } from "../charts/small_multiples";
import type { JsonObject } from "../documents/document";
import { num, objects, text } from "../documents/document";

interface Point {
  network: string;
  batch: number;
  throughput: number | null;
  power_max_watts: number | null;
  power_mean_watts: number | null;
}

const columns: readonly Column<Point>[] = [
  { key: "network", label: "network" },
  { key: "batch", label: "batch" },
  { key: "throughput_samples_per_second", label: "throughput", unit: "samples/s", value: ({ throughput }) => throughput, format: (value) => number(value, 4) },
  { key: "power_max_watts", label: "max power", unit: "W" },
  { key: "power_mean_watts", label: "mean power", unit: "W" },
];

export function batchCurves(body: JsonObject, simulated: boolean): readonly HTMLElement[] {
  const curves = objects(body, "figure_1").map(pointsOf).filter((points) => points.length > 0);
  if (curves.length === 0) return [];
  const multiples = (id: string, title: string, axis: string, lines: readonly Line[]) =>
    smallMultiples<Point>({
      id,
      title,
      caption: "As figure 1 of the paper. Logarithmic batch axis.",
      simulated,
      columns,
      legend: lines.map(({ label, color }) => ({ label, color: cssSeries(color), sign: "line" as const })),
      charts: curves.map((points) => {
        const name = points[0]?.network ?? "";
        return { id: `${id}-${name.replace(/\W+/g, "-")}`, title: name, rows: points, draw: ({ colors }) => ({
          marginLeft: 44,
          x: { type: "log", base: 2, label: "batch", tickFormat: (value: number) => String(value), ticks: 5 },
          y: { label: axis, zero: true, grid: true, ticks: 4 },
          marks: lines.flatMap(({ read, color }) => {
            const stroke = colors.series[color] ?? colors.accent;
            return [lineY(points, { x: "batch", y: read, stroke, strokeWidth: 2 }), dot(points, { x: "batch", y: read, fill: stroke, r: 2 })];
          }).concat([tip(points, pointerX({ x: "batch", y: lines[0]!.read, title: tipText }))]),
        }) };
      }),
    });
  return [
    multiples("batchsizer-batch-throughput", "Throughput by batch", "samples/s", [{ label: "throughput", read: ({ throughput }) => throughput, color: 2 }]),
    multiples("batchsizer-batch-power", "Power by batch", "power (W)", [
      { label: "max power", read: ({ power_max_watts }) => power_max_watts, color: 0 },
      { label: "mean power", read: ({ power_mean_watts }) => power_mean_watts, color: 1 },
    ]),
  ];
}

interface Line {
  label: string;
  read: (point: Point) => number | null;
  color: number;
}

function pointsOf(curve: JsonObject): readonly Point[] {
  const network = `${text(curve, "network") ?? "unnamed"}, ${text(curve, "dataset") ?? ""}`;
  return objects(curve, "batches").flatMap((entry) => {
    const batch = num(entry, "batch");
    if (batch === null) return [];
    return [{ network, batch, throughput: num(entry, "throughput_samples_per_second"), power_max_watts: num(entry, "power_max_watts"), power_mean_watts: num(entry, "power_mean_watts") }];
  });
}

function tipText(point: Point): string {
  return `batch ${point.batch}\n${withUnit(point.throughput, "samples/s")}\nmax ${withUnit(point.power_max_watts, "W")}, mean ${withUnit(point.power_mean_watts, "W")}`;
}
