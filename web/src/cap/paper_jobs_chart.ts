// The paper's jobs, a row each: what every controller reached, on one axis. Figures 5 to 7 of the BatchSizer paper.

import { axisX, dot, pointer, tickX, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { number, percent, si, withUnit } from "../base/format";
import type { Colours } from "../base/palette";
import { cssColour, cssSeries, series } from "../base/palette";
import { chart } from "../charts/chart";
import type { PaperJob, Reached } from "./batchsizer";
import { controllerLabels, controllerNames } from "./batchsizer";

export const reachedColumns: readonly Column<Reached>[] = [
  { key: "name", label: "job" },
  { key: "controller", label: "controller", value: ({ controller }) => controllerLabels[controller] },
  { key: "cap_watts", label: "cap", unit: "W" },
  { key: "throughput_samples_per_second", label: "throughput", unit: "samples/s", value: ({ throughput }) => throughput },
  { key: "share_of_best", label: "of the best", format: (value) => percent(value) },
  { key: "power_max_watts", label: "highest power", unit: "W" },
  { key: "power_mean_watts", label: "mean power", unit: "W" },
  { key: "mean_batch", label: "mean batch" },
  { key: "mean_clock_mhz", label: "mean clock", unit: "MHz", format: (value) => number(value, 4) },
  { key: "violation_seconds", label: "above the cap", format: (value) => si(value, "s") },
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
  read: (reached: Reached) => number | null;
  reference?: { label: string; read: (job: PaperJob) => number | null }; // a tick in each row
  log?: boolean;
}

export function paperJobsChart(jobs: readonly PaperJob[], simulated: boolean, what: JobsChart): HTMLElement {
  const all = jobs.flatMap(({ reached }) => reached).filter((reached) => what.read(reached) !== null);
  const used = controllerNames.filter((name) => all.some(({ controller }) => controller === name));
  const place = (reached: Reached) => controllerNames.indexOf(reached.controller);
  const tint = (reached: Reached, colours: Colours) => series(tints[place(reached)] ?? 0, colours);
  return chart<Reached>({
    id: what.id,
    title: what.title,
    caption: what.caption,
    simulated,
    columns: reachedColumns,
    rows: all,
    legend: [
      ...used.map((name) => ({ label: controllerLabels[name], colour: cssSeries(tints[controllerNames.indexOf(name)] ?? 0), sign: "dot" as const })),
      ...(what.reference ? [{ label: what.reference.label, colour: cssColour("text"), sign: "line" as const }] : []),
    ],
    height: 70 + jobs.length * 24,
    draw: ({ narrow, colours }) => ({
      marginLeft: 150,
      marginTop: 34,
      x: { grid: true, label: what.axis, ...(what.log ? { type: "log" as const } : { zero: true }), nice: true },
      y: { label: null, domain: jobs.map(({ name }) => name), type: "band", padding: 0.1 },
      marks: [
        axisX({ anchor: "top", label: what.axis, ticks: narrow ? 4 : 8, ...(what.log ? { tickFormat: (value: number) => number(value) } : {}) }),
        ...(what.reference ? [tickX(jobs.filter((job) => what.reference?.read(job) != null), { x: (job: PaperJob) => what.reference?.read(job) ?? null, y: "name", stroke: colours.text, strokeWidth: 2.5 })] : []),
        dot(all, { x: what.read, y: "name", fill: (reached: Reached) => tint(reached, colours), stroke: (reached: Reached) => (signs[place(reached)] === "times" ? tint(reached, colours) : "none"), symbol: (reached: Reached) => signs[place(reached)], r: 4 }),
        tip(all, pointer({ x: what.read, y: "name", title: tipText, lineWidth: narrow ? 12 : 24 })),
      ],
    }),
  });
}

function tipText(reached: Reached): string {
  return [
    `${reached.name}: ${controllerLabels[reached.controller]}`,
    `${withUnit(reached.throughput, "samples/s")}, ${percent(reached.share_of_best)} of the best`,
    `highest power ${withUnit(reached.power_max_watts, "W")} of ${withUnit(reached.cap_watts, "W")}`,
    `mean batch ${number(reached.mean_batch)}, mean clock ${withUnit(reached.mean_clock_mhz, "MHz")}`,
  ].join("\n");
}
