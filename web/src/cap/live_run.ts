// A cap job: panel, control of the cap and live charts; after its end the result document.

import type { Decision, Job } from "../api/types";
import { h } from "../base/dom";
import { clock, count, counted, number, withUnit } from "../base/format";
import { facts } from "../charts/facts";
import { refreshWhenIdle } from "../charts/refresh_when_idle";
import { jobPanel } from "../jobs/job_panel";
import { isActive } from "../jobs/job_state";
import { jobResult } from "../jobs/job_result";
import type { LiveContext } from "../page";
import type { CapRange } from "./cap_control";
import { capControl } from "./cap_control";
import { runCharts } from "./run_charts";
import { decisionLog } from "./decision_log";
import { powerChart } from "./power_chart";
import type { Run } from "./run";
import { capsSoFar } from "./run";

// `simulated` is the device's until the job has ended.
export function liveRun(context: LiveContext, job: Job, range: CapRange, simulated: boolean): HTMLElement {
  const control = capControl(context, job.id, range);
  const decisions: Decision[] = [];
  let now = job;
  const lastTime = () => decisions[decisions.length - 1]?.time_seconds ?? 0;
  const run = (): Run => ({
    simulated,
    decisions,
    caps: capsSoFar(numberOf(job.options["watts"]), decisions),
    end_seconds: lastTime(),
    axis_seconds: Math.max(lastTime(), 10),
    latency_bound_seconds: null,
    best_samples_per_second: null,
  });
  const latest = h("div", { "aria-live": "off" });
  const log = decisionLog();
  const charts = [powerChart("cap-live", run), ...runCharts("cap-live", run)];
  const liveCharts = h(
    "div",
    { class: "cap-live" },
    latest,
    charts[0],
    h("div", { class: "columns" }, charts.slice(1)),
    h("h3", null, "Latest decisions"),
    log.element,
  );
  const place = h("div", null, isActive(job) ? liveCharts : null);
  let drawing = false;
  const redraw = () => {
    drawing = false;
    log.show(decisions);
    latest.replaceChildren(latestFacts(decisions, now));
    charts.forEach(refreshWhenIdle);
  };
  const soon = () => {
    if (drawing) return;
    drawing = true;
    requestAnimationFrame(redraw);
  };
  const panel = jobPanel(context, job, {
    extra: control.element,
    onJob: (next) => {
      now = next;
      control.show(next);
      soon();
    },
    onDecision: (decision) => {
      decisions.push(decision);
      soon();
    },
    onEnd: (ended) => place.replaceChildren(ended.result ? jobResult(context, ended) : decisions.length > 0 ? liveCharts : jobResult(context, ended)),
  });
  return h("div", null, panel, place);
}

function latestFacts(decisions: readonly Decision[], job: Job): HTMLElement {
  const last = decisions[decisions.length - 1];
  if (!last) return h("p", { role: "status" }, "Waiting for the first decision …");
  return facts([
    { label: "power cap", value: withUnit(job.cap_watts ?? last.cap_watts, "W") },
    { label: "max power", value: withUnit(last.power_watts, "W"), note: `mean ${withUnit(last.mean_power_watts, "W")}` },
    { label: "batch", value: count(last.next_batch ?? last.batch) },
    { label: "clock", value: clock(last.next_clock_hertz ?? last.clock_hertz) },
    { label: "throughput (samples/s)", value: number(last.throughput_samples_per_second, 4) },
    { label: "time", value: withUnit(last.time_seconds, "s"), note: `of ${String(job.options["duration"] ?? "60s").replace(/(\d)([a-z])/, "$1 $2")}, ${counted(decisions.length, "decision")}` },
  ]);
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
