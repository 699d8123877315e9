// Operating points that nothing beats in both latency and energy.

import { dot, link, pointer, ruleX, tip } from "@observablehq/plot";
import { cssColour, cssSeries, series } from "../base/palette";
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
  usual: OperatingPoint | null;
}

export function paretoChart({ points, choice, usual }: Marks, body: JsonObject, simulated: boolean): HTMLElement | null {
  const shown = points.filter(drawable);
  if (shown.length === 0) return null;
  const devices = [...new Set(shown.map((point) => point.device))];
  const bound = num(object(body, "bounds"), "latency_seconds");
  const special = [choice, usual].filter((point) => point !== null).filter(drawable);
  return chart({
    id: "tune-pareto",
    title: "The best trades of latency against energy",
    caption: "Below and left of a dot there is no other operating point. Whiskers: 90 % of the energy. Both axes are logarithmic.",
    simulated,
    columns: pointColumns,
    rows: points,
    legend: [
      ...devices.map((label, index) => ({ label, colour: cssSeries(index), sign: "dot" as const })),
      ...(choice ? [{ label: "choice", colour: cssColour("good"), sign: "dot" as const }] : []),
      ...(usual ? [{ label: "same device and batch at default settings", colour: cssColour("bad"), sign: "dot" as const }] : []),
      ...(bound === null ? [] : [{ label: "latency bound", colour: cssColour("muted"), sign: "dashed" as const }]),
    ],
    draw: ({ colours, narrow }) => {
      const all = [...shown, ...special];
      const time = scaleFor(all.map((point) => point.time ?? 0), "s");
      const energy = scaleFor(all.map((point) => point.energy ?? 0), "J");
      const x = (point: OperatingPoint) => (point.time ?? NaN) / time.factor;
      const y = (point: OperatingPoint) => (point.energy ?? NaN) / energy.factor;
      const end = (side: "low" | "high") => (point: OperatingPoint) => (point.energyInterval[side] ?? NaN) / energy.factor;
      const colour = (point: OperatingPoint) => series(devices.indexOf(point.device), colours);
      const mark = (point: OperatingPoint | null, fill: string) => (point === null ? [] : [dot([point], { x, y, fill, r: 7, symbol: "diamond", stroke: colours.background })]);
      return {
        marginLeft: 56,
        x: { ...logAxis([...all.map(x), ...(bound === null ? [] : [bound / time.factor])], narrow).options, label: `latency of an iteration (${time.unit})` },
        y: { ...logAxis(all.flatMap((point) => [y(point), end("low")(point), end("high")(point)])).options, label: `energy of a sample (${energy.unit})`, grid: true },
        marks: [
          ...(bound === null ? [] : [ruleX([bound / time.factor], { stroke: colours.muted, strokeDasharray: "4 3" })]),
          link(shown.filter((point) => point.energyInterval.low !== null && point.energyInterval.high !== null), { x1: x, x2: x, y1: end("low"), y2: end("high"), stroke: colour, strokeOpacity: 0.15 }),
          dot(shown, { x, y, fill: colour, r: 3 }),
          ...mark(usual, colours.bad),
          ...mark(choice, colours.good),
          tip(all, pointer({ x, y, title: pointTip })),
        ],
      };
    },
  });
}

function drawable(point: OperatingPoint): boolean {
  return point.time !== null && point.time > 0 && point.energy !== null && point.energy > 0;
}
