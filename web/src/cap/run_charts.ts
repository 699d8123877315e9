// Batch, clock, throughput, latency and temperature of a run over time.

import { dot, lineY, pointerX, ruleY, tip } from "@observablehq/plot";
import type { Decision } from "../api/types";
import { clock, count, number, si, withUnit } from "../base/format";
import { cssColor, cssSeries } from "../base/palette";
import { chart } from "../charts/chart";
import type { LegendEntry } from "../charts/legend";
import { decisionColumns } from "./decision_columns";
import type { Run } from "./run";
import { timeAxis } from "./time_axis";

interface RunChart {
  name: string; // suffix of the chart's id
  title: string;
  label: string; // of the axis, with the unit
  read: (decision: Decision) => number | null; // in the unit of the axis
  write: (decision: Decision) => string;
  next?: (decision: Decision) => number | null; // setting after the decision, in the unit of the axis
  bound?: { label: string; read: (run: Run) => number | null };
  zero: boolean;
  color: number;
}

const runQuantities: readonly RunChart[] = [
  {
    name: "batch", title: "Batch size", label: "batch", zero: true, color: 1,
    read: ({ batch }) => batch, next: ({ next_batch }) => next_batch, write: ({ batch }) => `batch ${count(batch)}`,
  },
  {
    name: "clock", title: "Core clock", label: "clock (MHz)", zero: true, color: 3,
    read: ({ clock_hertz }) => mega(clock_hertz), next: ({ next_clock_hertz }) => mega(next_clock_hertz), write: ({ clock_hertz }) => clock(clock_hertz),
  },
  {
    name: "throughput", title: "Throughput", label: "throughput (samples/s)", zero: true, color: 2,
    read: (decision) => decision.throughput_samples_per_second, write: (decision) => withUnit(decision.throughput_samples_per_second, "samples/s"),
    bound: { label: "oracle under the last cap", read: (run) => run.best_samples_per_second },
  },
  {
    name: "latency", title: "Latency", label: "latency (ms)", zero: true, color: 4,
    read: ({ latency_seconds }) => (latency_seconds === null ? null : latency_seconds * 1e3), write: ({ latency_seconds }) => si(latency_seconds, "s"),
    bound: { label: "max latency", read: (run) => (run.latency_bound_seconds === null ? null : run.latency_bound_seconds * 1e3) },
  },
  {
    name: "temperature", title: "Temperature", label: "temperature (°C)", zero: false, color: 5,
    read: ({ temperature_celsius }) => temperature_celsius, write: ({ temperature_celsius }) => `${number(temperature_celsius)} °C`,
  },
];

export function runCharts(id: string, run: () => Run): readonly HTMLElement[] {
  return runQuantities.map((item) => runChart(id, item, run));
}

function runChart(id: string, item: RunChart, run: () => Run): HTMLElement {
  const legend: LegendEntry[] = item.bound && item.bound.read(run()) !== null
    ? [{ label: item.title.toLowerCase(), color: cssSeries(item.color), sign: "line" }, { label: item.bound.label, color: cssColor("muted"), sign: "dashed" }]
    : [];
  return chart<Decision>({
    id: `${id}-${item.name}`,
    title: item.title,
    simulated: run().simulated,
    columns: decisionColumns,
    rows: () => run().decisions,
    height: 220,
    ...(legend.length > 0 ? { legend } : {}),
    draw: ({ colors, narrow }) => {
      const now = run();
      const axis = timeAxis(now.axis_seconds);
      const color = colors.series[item.color] ?? colors.accent;
      const bound = item.bound?.read(now) ?? null;
      const line = item.next ? settings(now, item.read, item.next) : now.decisions.map((at) => ({ seconds: at.time_seconds, value: item.read(at) }));
      const known = now.decisions.filter((decision) => item.read(decision) !== null);
      const many = known.length > 200;
      const time = (decision: Decision) => decision.time_seconds / axis.factor;
      return {
        marginLeft: 52,
        x: { label: `time (${axis.unit})`, domain: [0, now.axis_seconds / axis.factor], ticks: narrow ? 4 : 8 },
        y: { label: item.label, zero: item.zero, nice: true, grid: true, ticks: 5 },
        marks: [
          ...(bound === null ? [] : [ruleY([bound], { stroke: colors.muted, strokeDasharray: "4 3", strokeWidth: 1.5 })]),
          lineY(line, { x: (at: SettingAt) => at.seconds / axis.factor, y: "value", stroke: color, strokeWidth: many ? 1 : 2, curve: item.next ? "step-after" : "linear" }),
          ...(many ? [] : [dot(known, { x: time, y: item.read, fill: color, r: 2.5 })]),
          tip(known, pointerX({ x: time, y: item.read, title: (decision: Decision) => `${withUnit(decision.time_seconds, "s")}\n${item.write(decision)}` })),
        ],
      };
    },
  });
}

interface SettingAt {
  seconds: number;
  value: number | null;
}

// Settings at the start, after each decision, and at the end.
function settings(run: Run, before: (decision: Decision) => number | null, after: (decision: Decision) => number | null): readonly SettingAt[] {
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
