// View of ergon.simulate.sweep: one network on many arrays and memories.

import { dot, pointer, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { h } from "../base/dom";
import { count, number, percent, si } from "../base/format";
import { cssSeries, series } from "../base/palette";
import { scaleFor } from "../charts/axis_scale";
import { chart } from "../charts/chart";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { num, objects, text } from "../documents/document";
import type { View } from "../documents/views";
import { bandwidthText, machineText } from "./machine";

interface Point {
  machine: string;
  memory: string;
  bandwidth: string;
  cycles: number | null;
  stalls: number | null;
  utilization: number | null;
  seconds: number | null;
  joules: number | null;
  words: number | null;
}

const columns: readonly Column<Point>[] = [
  { key: "array", label: "array", value: (point) => point.machine },
  { key: "memory", label: "memory" },
  { key: "words_per_cycle", label: "words per cycle", value: (point) => point.bandwidth },
  { key: "cycles", label: "cycles", format: (value) => count(value) },
  { key: "stall_cycles", label: "stall cycles", value: (point) => point.stalls, format: (value) => count(value) },
  { key: "utilization_percent", label: "utilization", unit: "%", value: (point) => point.utilization },
  { key: "seconds", label: "time", format: (value) => si(value, "s") },
  { key: "energy_joules", label: "energy", value: (point) => point.joules, format: (value) => si(value, "J") },
  { key: "memory_words", label: "memory words", value: (point) => point.words, format: (value) => count(value) },
];

export const simulateSweepView: View = ({ body, simulated }) => {
  const points = objects(body, "points").map(pointOf);
  return h(
    "section",
    null,
    h("h2", null, `${text(body, "network") ?? "A network"} on ${points.length} arrays`),
    h("div", { class: "columns" }, cost(points, simulated), stalls(points, simulated)),
    table({ label: "Arrays", columns, rows: points, csvName: "arrays", simulated }),
  );
};

function pointOf(point: JsonObject): Point {
  return {
    machine: machineText(point),
    memory: text(point, "memory") ?? "unknown",
    bandwidth: bandwidthText(point),
    cycles: num(point, "cycles"),
    stalls: num(point, "stall_cycles"),
    utilization: num(point, "utilization_percent"),
    seconds: num(point, "seconds"),
    joules: num(point, "energy_joules"),
    words: num(point, "memory_words"),
  };
}

function cost(points: readonly Point[], simulated: boolean): HTMLElement | null {
  const shown = points.filter((point) => point.seconds !== null && point.joules !== null);
  if (shown.length === 0) return null;
  const memories = [...new Set(points.map((point) => point.memory))];
  return chart({
    id: "simulate-sweep-cost",
    title: "Time and energy per iteration on each array",
    simulated,
    columns,
    rows: points,
    legend: memories.map((label, index) => ({ label, color: cssSeries(index), sign: "dot" as const })),
    draw: ({ colors }) => {
      const time = scaleFor(shown.map((point) => point.seconds ?? 0), "s");
      const energy = scaleFor(shown.map((point) => point.joules ?? 0), "J");
      const place = { x: (point: Point) => (point.seconds ?? 0) / time.factor, y: (point: Point) => (point.joules ?? 0) / energy.factor };
      return {
        marginLeft: 54,
        x: { label: `time (${time.unit})`, zero: true },
        y: { label: `energy (${energy.unit})`, zero: true, grid: true },
        marks: [
          dot(shown, { ...place, r: 5, fill: (point: Point) => series(memories.indexOf(point.memory), colors), fillOpacity: 0.75 }),
          tip(shown, pointer({ ...place, title: tipText })),
        ],
      };
    },
  });
}

function stalls(points: readonly Point[], simulated: boolean): HTMLElement {
  const shown = points.filter((point) => point.cycles !== null && point.stalls !== null && point.utilization !== null);
  const memories = [...new Set(points.map((point) => point.memory))];
  const share = (point: Point) => (100 * (point.stalls ?? 0)) / (point.cycles ?? 1);
  return chart({
    id: "simulate-sweep-stalls",
    title: "Stalled cycles and utilization",
    simulated,
    columns,
    rows: points,
    legend: memories.map((label, index) => ({ label, color: cssSeries(index), sign: "dot" as const })),
    draw: ({ colors }) => ({
      marginLeft: 54,
      x: { label: "stalled cycles (%)", zero: true },
      y: { label: "utilization (% of the PEs)", zero: true, grid: true },
      marks: [
        dot(shown, { x: share, y: "utilization", r: 5, fill: (point: Point) => series(memories.indexOf(point.memory), colors), fillOpacity: 0.75 }),
        tip(shown, pointer({ x: share, y: "utilization", title: tipText })),
      ],
    }),
  });
}

function tipText(point: Point): string {
  const stalled = point.stalls === null || point.cycles === null ? "unknown" : percent(point.stalls / point.cycles);
  return `${point.machine}\n${point.memory}, ${point.bandwidth} words per cycle\n${si(point.seconds, "s")}, ${si(point.joules, "J")}\nstalled ${stalled}, utilization ${number(point.utilization)} %`;
}
