// Jobs of the BatchSizer paper, one row each, with the result of every controller. Figures 5 to 7 of the paper.

import { axisX, dot, pointer, tickX, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { number, percent, si, withUnit } from "../base/format";
import type { Colors } from "../base/palette";
import { cssColor, cssSeries, series } from "../base/palette";
import { chart } from "../charts/chart";
import type { PaperJob, ControllerResult } from "./batchsizer";
import { controllerLabels, controllerNames } from "./batchsizer";

export const resultColumns: readonly Column<ControllerResult>[] = [
  { key: "name", label: "job" },
  { key: "controller", label: "controller", value: ({ controller }) => controllerLabels[controller] },
  { key: "cap_watts", label: "cap", unit: "W" },
  { key: "throughput_samples_per_second", label: "throughput", unit: "samples/s", value: ({ throughput }) => throughput },
  { key: "share_of_best", label: "share of the oracle", format: (value) => percent(value) },
  { key: "power_max_watts", label: "max power", unit: "W" },
  { key: "power_mean_watts", label: "mean power", unit: "W" },
  { key: "mean_batch", label: "mean batch" },
  { key: "mean_clock_mhz", label: "mean clock", unit: "MHz", format: (value) => number(value, 4) },
  { key: "violation_seconds", label: "violation", format: (value) => si(value, "s") },
  { key: "settle_seconds", label: "settled after", format: (value) => si(value, "s") },
];
// In the order of controllerNames.
const signs = ["circle", "square", "diamond", "triangle", "times"] as const;
const tints = [0, 1, 2, 3, 6] as const;

export interface JobsChart {
  id: string;
  title: string;
  caption: string;
  axis: string;
  read: (result: ControllerResult) => number | null;
  reference?: { label: string; read: (job: PaperJob) => number | null }; // a tick in each row
  log?: boolean;
}

export function paperJobsChart(jobs: readonly PaperJob[], simulated: boolean, what: JobsChart): HTMLElement {
  const all = jobs.flatMap(({ results }) => results).filter((result) => what.read(result) !== null);
  const used = controllerNames.filter((name) => all.some(({ controller }) => controller === name));
  const indexOf = (result: ControllerResult) => controllerNames.indexOf(result.controller);
  const tint = (result: ControllerResult, colors: Colors) => series(tints[indexOf(result)] ?? 0, colors);
  return chart<ControllerResult>({
    id: what.id,
    title: what.title,
    caption: what.caption,
    simulated,
    columns: resultColumns,
    rows: all,
    legend: [
      ...used.map((name) => ({ label: controllerLabels[name], color: cssSeries(tints[controllerNames.indexOf(name)] ?? 0), sign: "dot" as const })),
      ...(what.reference ? [{ label: what.reference.label, color: cssColor("text"), sign: "line" as const }] : []),
    ],
    height: 70 + jobs.length * 24,
    draw: ({ narrow, colors }) => ({
      marginLeft: 150,
      marginTop: 34,
      x: { grid: true, label: what.axis, ...(what.log ? { type: "log" as const } : { zero: true }), nice: true },
      y: { label: null, domain: jobs.map(({ name }) => name), type: "band", padding: 0.1 },
      marks: [
        axisX({ anchor: "top", label: what.axis, ticks: narrow ? 4 : 8, ...(what.log ? { tickFormat: (value: number) => number(value) } : {}) }),
        ...(what.reference ? [tickX(jobs.filter((job) => what.reference?.read(job) != null), { x: (job: PaperJob) => what.reference?.read(job) ?? null, y: "name", stroke: colors.text, strokeWidth: 2.5 })] : []),
        dot(all, { x: what.read, y: "name", fill: (result: ControllerResult) => tint(result, colors), stroke: (result: ControllerResult) => (signs[indexOf(result)] === "times" ? tint(result, colors) : "none"), symbol: (result: ControllerResult) => signs[indexOf(result)], r: 4 }),
        tip(all, pointer({ x: what.read, y: "name", title: tipText, lineWidth: narrow ? 12 : 24 })),
      ],
    }),
  });
}

function tipText(result: ControllerResult): string {
  return [
    `${result.name}: ${controllerLabels[result.controller]}`,
    `${withUnit(result.throughput, "samples/s")}, ${percent(result.share_of_best)} of the oracle`,
    `max power ${withUnit(result.power_max_watts, "W")} of ${withUnit(result.cap_watts, "W")}`,
    `mean batch ${number(result.mean_batch)}, mean clock ${withUnit(result.mean_clock_mhz, "MHz")}`,
  ].join("\n");
}
