// What the controller set and what came of it, over time: batch, clock, throughput, latency, temperature.

import { dot, lineY, pointerX, ruleY, tip } from "@observablehq/plot";
import type { Decision } from "../api/types";
import { clock, count, number, si, withUnit } from "../base/format";
import { cssColour, cssSeries } from "../base/palette";
import { chart } from "../charts/chart";
import type { LegendEntry } from "../charts/legend";
import { decisionColumns } from "./decision_columns";
import type { Run } from "./run";
import { timeAxis } from "./time_axis";

interface Course {
  name: string; // ends the chart's id
  title: string;
  label: string; // of the axis, with the unit
  read: (decision: Decision) => number | null; // as drawn
  write: (decision: Decision) => string;
  next?: (decision: Decision) => number | null; // what was set from then on, as drawn
  bound?: { label: string; read: (run: Run) => number | null };
  zero: boolean;
  colour: number;
}

const courses: readonly Course[] = [
  {
    name: "batch", title: "Batch size", label: "batch", zero: true, colour: 1,
    read: ({ batch }) => batch, next: ({ next_batch }) => next_batch, write: ({ batch }) => `batch ${count(batch)}`,
  },
  {
    name: "clock", title: "Core clock", label: "clock (MHz)", zero: true, colour: 3,
    read: ({ clock_hertz }) => mega(clock_hertz), next: ({ next_clock_hertz }) => mega(next_clock_hertz), write: ({ clock_hertz }) => clock(clock_hertz),
  },
  {
    name: "throughput", title: "Throughput", label: "throughput (samples/s)", zero: true, colour: 2,
    read: (decision) => decision.throughput_samples_per_second, write: (decision) => withUnit(decision.throughput_samples_per_second, "samples/s"),
    bound: { label: "best possible under the last cap", read: (run) => run.best_samples_per_second },
  },
  {
    name: "latency", title: "Latency of a request", label: "latency (ms)", zero: true, colour: 4,
    read: ({ latency_seconds }) => (latency_seconds === null ? null : latency_seconds * 1e3), write: ({ latency_seconds }) => si(latency_seconds, "s"),
    bound: { label: "bound", read: (run) => (run.latency_bound_seconds === null ? null : run.latency_bound_seconds * 1e3) },
  },
  {
    name: "temperature", title: "Temperature", label: "temperature (°C)", zero: false, colour: 5,
    read: ({ temperature_celsius }) => temperature_celsius, write: ({ temperature_celsius }) => `${number(temperature_celsius)} °C`,
  },
];

export function courseCharts(id: string, run: () => Run): readonly HTMLElement[] {
  return courses.map((course) => courseChart(id, course, run));
}

function courseChart(id: string, course: Course, run: () => Run): HTMLElement {
  const legend: LegendEntry[] = course.bound && course.bound.read(run()) !== null
    ? [{ label: course.title.toLowerCase(), colour: cssSeries(course.colour), sign: "line" }, { label: course.bound.label, colour: cssColour("muted"), sign: "dashed" }]
    : [];
  return chart<Decision>({
    id: `${id}-${course.name}`,
    title: course.title,
    simulated: run().simulated,
    columns: decisionColumns,
    rows: () => run().decisions,
    height: 220,
    ...(legend.length > 0 ? { legend } : {}),
    draw: ({ colours, narrow }) => {
      const now = run();
      const axis = timeAxis(now.axis_seconds);
      const colour = colours.series[course.colour] ?? colours.accent;
      const bound = course.bound?.read(now) ?? null;
      const line = course.next ? settings(now, course.read, course.next) : now.decisions.map((at) => ({ seconds: at.time_seconds, value: course.read(at) }));
      const known = now.decisions.filter((decision) => course.read(decision) !== null);
      const many = known.length > 200;
      const time = (decision: Decision) => decision.time_seconds / axis.factor;
      return {
        marginLeft: 52,
        x: { label: `time (${axis.unit})`, domain: [0, now.axis_seconds / axis.factor], ticks: narrow ? 4 : 8 },
        y: { label: course.label, zero: course.zero, nice: true, grid: true, ticks: 5 },
        marks: [
          ...(bound === null ? [] : [ruleY([bound], { stroke: colours.muted, strokeDasharray: "4 3", strokeWidth: 1.5 })]),
          lineY(line, { x: (at: Setting) => at.seconds / axis.factor, y: "value", stroke: colour, strokeWidth: many ? 1 : 2, curve: course.next ? "step-after" : "linear" }),
          ...(many ? [] : [dot(known, { x: time, y: course.read, fill: colour, r: 2.5 })]),
          tip(known, pointerX({ x: time, y: course.read, title: (decision: Decision) => `${withUnit(decision.time_seconds, "s")}\n${course.write(decision)}` })),
        ],
      };
    },
  });
}

interface Setting {
  seconds: number;
  value: number | null;
}

// What was set from the beginning, after each decision, and until the end.
function settings(run: Run, before: (decision: Decision) => number | null, after: (decision: Decision) => number | null): readonly Setting[] {
  const first = run.decisions[0];
  const last = run.decisions[run.decisions.length - 1];
  if (!first || !last) return [];
  return [
    { seconds: 0, value: before(first) },
    ...run.decisions.map((decision) => ({ seconds: decision.time_seconds, value: after(decision) ?? before(decision) })),
    ...(run.end_seconds > last.time_seconds ? [{ seconds: run.end_seconds, value: after(last) ?? before(last) }] : []),
  ];
}

function mega(hertz: number | null): number | null {
  return hertz === null ? null : hertz / 1e6;
}
