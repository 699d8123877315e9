// Clock of every operation on a GPU.

import { dot, lineY, pointerX, ruleY, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { clock, si } from "../base/format";
import { cssColor, cssSeries, series } from "../base/palette";
import { chart } from "../charts/chart";
import type { JsonObject } from "../documents/document";
import { num, objects, text } from "../documents/document";

interface Operation {
  index: number; // from 1, in execution order
  layer: string;
  kind: string | null;
  pass: string | null;
  bound: string | null;
  clock_hertz: number | null;
  time_seconds: number | null;
  energy_joules: number | null;
}

const bounds = ["compute", "memory", "launch"] as const;
const boundNames = { compute: "compute-bound", memory: "memory-bound", launch: "launch-bound" } as const;

export const operationColumns: readonly Column<Operation>[] = [
  { key: "index", label: "index" },
  { key: "layer", label: "layer" },
  { key: "kind", label: "operation" },
  { key: "pass", label: "pass" },
  { key: "bound", label: "bound" },
  { key: "clock_hertz", label: "clock", format: clock },
  { key: "time_seconds", label: "time", format: (value) => si(value, "s") },
  { key: "energy_joules", label: "energy", format: (value) => si(value, "J") },
];

export function operationsOf(body: JsonObject): readonly Operation[] {
  return objects(body, "operations").map((operation, index) => ({
    index: index + 1,
    layer: text(operation, "layer") ?? `operation ${index + 1}`,
    kind: text(operation, "kind"),
    pass: text(operation, "pass"),
    bound: text(operation, "bound"),
    clock_hertz: num(operation, "clock_hertz"),
    time_seconds: num(operation, "time_seconds"),
    energy_joules: num(operation, "energy_joules"),
  }));
}

export function gpuClock(operations: readonly Operation[], scheme: string, highest: number | null, simulated: boolean): HTMLElement | null {
  const known = operations.filter((operation) => operation.clock_hertz !== null);
  if (known.length === 0) return null;
  return chart({
    id: "allocate-gpu-clock",
    title: `Clock by operation (${scheme})`,
    caption: "Operations in execution order. Colors show the bound at the highest clock.",
    simulated,
    rows: operations,
    columns: operationColumns,
    legend: [
      ...bounds.map((bound, index) => ({ label: boundNames[bound], color: cssSeries(index), sign: "dot" as const })),
      { label: "highest clock", color: cssColor("muted"), sign: "dashed" },
    ],
    height: 280,
    draw: ({ colors, narrow }) => {
      const y = (operation: Operation) => (operation.clock_hertz ?? 0) / 1e6;
      const corners = known.flatMap((operation) => [{ x: operation.index - 0.5, y: y(operation) }, { x: operation.index + 0.5, y: y(operation) }]);
      const color = ({ bound }: Operation) => {
        const index = bounds.findIndex((known) => known === bound);
        return index < 0 ? colors.muted : series(index, colors);
      };
      return {
        marginLeft: 52,
        x: { label: "operation", ticks: narrow ? 5 : 12 },
        y: { label: "clock (MHz)", grid: true, nice: true, ticks: 5 },
        marks: [
          ...(highest === null ? [] : [ruleY([highest / 1e6], { stroke: colors.muted, strokeDasharray: "4 3" })]),
          lineY(corners, { x: "x", y: "y", stroke: colors.muted, strokeWidth: 1.5 }),
          dot(known, { x: "index", y, fill: color, r: known.length > 100 ? 2 : 3 }),
          tip(known, pointerX({ x: "index", y, title: tipText })),
        ],
      };
    },
  });
}

function tipText({ index, layer, kind, pass, bound, clock_hertz, time_seconds, energy_joules }: Operation): string {
  const what = [kind, pass === "backward" ? "backward" : null, bound === null ? null : `${bound}-bound`].filter((word) => word !== null);
  return `${index} ${layer}\n${what.join(", ")}\n${clock(clock_hertz)}\n${si(time_seconds, "s")}, ${si(energy_joules, "J")}`;
}
