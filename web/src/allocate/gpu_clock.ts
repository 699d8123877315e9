// The clock of every operation on a GPU, for the scheme that was asked for.

import { dot, lineY, pointerX, ruleY, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { clock, si } from "../base/format";
import { cssColour, cssSeries, series } from "../base/palette";
import { chart } from "../charts/chart";
import type { JsonObject } from "../documents/document";
import { num, objects, text } from "../documents/document";

interface Operation {
  place: number; // from 1, in the order in which they run
  layer: string;
  kind: string | null;
  pass: string | null;
  bound: string | null;
  clock_hertz: number | null;
  time_seconds: number | null;
  energy_joules: number | null;
}

const bounds = ["compute", "memory", "launch"] as const;
const boundNames = { compute: "held up by computing", memory: "held up by memory", launch: "too short to matter (launch)" } as const;

export const operationColumns: readonly Column<Operation>[] = [
  { key: "place", label: "place" },
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
    place: index + 1,
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
    title: `Clock of each operation (${scheme})`,
    caption: "Operations in the order in which they run; colours say what holds each up at the highest clock.",
    simulated,
    rows: operations,
    columns: operationColumns,
    legend: [
      ...bounds.map((bound, index) => ({ label: boundNames[bound], colour: cssSeries(index), sign: "dot" as const })),
      { label: "highest clock", colour: cssColour("muted"), sign: "dashed" },
    ],
    height: 280,
    draw: ({ colours, narrow }) => {
      const y = (operation: Operation) => (operation.clock_hertz ?? 0) / 1e6;
      const corners = known.flatMap((operation) => [{ x: operation.place - 0.5, y: y(operation) }, { x: operation.place + 0.5, y: y(operation) }]);
      const colour = ({ bound }: Operation) => {
        const index = bounds.findIndex((known) => known === bound);
        return index < 0 ? colours.muted : series(index, colours);
      };
      return {
        marginLeft: 52,
        x: { label: "operation", ticks: narrow ? 5 : 12 },
        y: { label: "clock (MHz)", grid: true, nice: true, ticks: 5 },
        marks: [
          ...(highest === null ? [] : [ruleY([highest / 1e6], { stroke: colours.muted, strokeDasharray: "4 3" })]),
          lineY(corners, { x: "x", y: "y", stroke: colours.muted, strokeWidth: 1.5 }),
          dot(known, { x: "place", y, fill: colour, r: known.length > 100 ? 2 : 3 }),
          tip(known, pointerX({ x: "place", y, title: tipText })),
        ],
      };
    },
  });
}

function tipText({ place, layer, kind, pass, bound, clock_hertz, time_seconds, energy_joules }: Operation): string {
  const what = [kind, pass === "backward" ? "backward" : null, bound === null ? null : `bound by ${bound}`].filter((word) => word !== null);
  return `${place} ${layer}\n${what.join(", ")}\n${clock(clock_hertz)}\n${si(time_seconds, "s")}, ${si(energy_joules, "J")}`;
}
