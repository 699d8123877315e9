// Pareto front of latency and energy.

import { dot, link, pointer, ruleX, tip } from "@observablehq/plot";
import { cssColor, cssSeries, series } from "../base/palette";
import { scaleFor } from "../charts/axis_scale";
import { chart } from "../charts/chart";
import { logAxis } from "../charts/log_axis";
import type { JsonObject } from "../documents/document";
import { num, object } from "../documents/document";
import { pointColumns, pointTip } from "./point_columns";
import type { OperatingPoint } from "./tuning";

interface Marks {
  points: readonly OperatingPoint[];
  choice: OperatingPoint | null;
  defaultPoint: OperatingPoint | null;
}

export function paretoChart({ points, choice, defaultPoint }: Marks, body: JsonObject, simulated: boolean): HTMLElement | null {
  const shown = points.filter(drawable);
  if (shown.length === 0) return null;
  const devices = [...new Set(shown.map((point) => point.device))];
  const bound = num(object(body, "bounds"), "latency_seconds");
  const special = [choice, defaultPoint].filter((point) => point !== null).filter(drawable);
  return chart({
    id: "tune-pareto",
    title: "Pareto front of latency and energy",
    caption: "No other operating point has both lower latency and lower energy. Whiskers: 90 % intervals. Logarithmic axes.",
    simulated,
    columns: pointColumns,
    rows: points,
    legend: [
      ...devices.map((label, index) => ({ label, color: cssSeries(index), sign: "dot" as const })),
      ...(choice ? [{ label: "choice", color: cssColor("good"), sign: "dot" as const }] : []),
      ...(defaultPoint ? [{ label: "default settings, same device and batch", color: cssColor("bad"), sign: "dot" as const }] : []),
      ...(bound === null ? [] : [{ label: "max latency", color: cssColor("muted"), sign: "dashed" as const }]),
    ],
    draw: ({ colors, narrow }) => {
      const all = [...shown, ...special];
      const time = scaleFor(all.map((point) => point.time ?? 0), "s");
      const energy = scaleFor(all.map((point) => point.energy ?? 0), "J");
      const x = (point: OperatingPoint) => (point.time ?? NaN) / time.factor;
      const y = (point: OperatingPoint) => (point.energy ?? NaN) / energy.factor;
      const end = (side: "low" | "high") => (point: OperatingPoint) => (point.energyInterval[side] ?? NaN) / energy.factor;
      const color = (point: OperatingPoint) => series(devices.indexOf(point.device), colors);
      const mark = (point: OperatingPoint | null, fill: string) => (point === null ? [] : [dot([point], { x, y, fill, r: 7, symbol: "diamond", stroke: colors.background })]);
      return {
        marginLeft: 56,
        x: { ...logAxis([...all.map(x), ...(bound === null ? [] : [bound / time.factor])], narrow).options, label: `latency per iteration (${time.unit})` },
        y: { ...logAxis(all.flatMap((point) => [y(point), end("low")(point), end("high")(point)])).options, label: `energy per sample (${energy.unit})`, grid: true },
        marks: [
          ...(bound === null ? [] : [ruleX([bound / time.factor], { stroke: colors.muted, strokeDasharray: "4 3" })]),
          link(shown.filter((point) => point.energyInterval.low !== null && point.energyInterval.high !== null), { x1: x, x2: x, y1: end("low"), y2: end("high"), stroke: color, strokeOpacity: 0.15 }),
          dot(shown, { x, y, fill: color, r: 3 }),
          ...mark(defaultPoint, colors.bad),
          ...mark(choice, colors.good),
          tip(all, pointer({ x, y, title: pointTip })),
        ],
      };
    },
  });
}

function drawable(point: OperatingPoint): boolean {
  return point.time !== null && point.time > 0 && point.energy !== null && point.energy > 0;
}
