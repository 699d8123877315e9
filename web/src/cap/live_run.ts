// A cap job on the page: panel, the cap's control and charts that follow its decisions; after the end its document.

import type { Decision, Job } from "../api/types";
import { h } from "../base/dom";
import { clock, count, number, withUnit } from "../base/format";
import { facts } from "../charts/facts";
import { refreshGently } from "../charts/refresh_gently";
import { jobPanel } from "../jobs/job_panel";
import { jobResult } from "../jobs/job_result";
import type { LiveContext } from "../page";
import type { CapRange } from "./cap_control";
import { capControl } from "./cap_control";
import { courseCharts } from "./course_charts";
import { decisionLog } from "./decision_log";
import { powerChart } from "./power_chart";
import type { Run } from "./run";
import { capsSoFar } from "./run";

// A job says whether it is simulated when it has ended; until then its device does.
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
  const charts = [powerChart("cap-live", run), ...courseCharts("cap-live", run)];
  const course = h(
    "div",
    { class: "cap-live" },
    latest,
    charts[0],
    h("div", { class: "columns" }, charts.slice(1)),
    h("h3", null, "Latest decisions"),
    log.element,
  );
  const place = h("div", null, job.state === "running" ? course : null);
  let drawing = false;
  const redraw = () => {
    drawing = false;
    log.show(decisions);
    latest.replaceChildren(latestFacts(decisions, now));
    charts.forEach(refreshGently);
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
    onEnd: (ended) => place.replaceChildren(ended.result ? jobResult(context, ended) : decisions.length > 0 ? course : jobResult(context, ended)),
  });
  return h("div", null, panel, place);
}

function latestFacts(decisions: readonly Decision[], job: Job): HTMLElement {
  const last = decisions[decisions.length - 1];
  if (!last) return h("p", { role: "status" }, "Waiting for the first decision …");
  return facts([
    { label: "cap", value: withUnit(job.cap_watts ?? last.cap_watts, "W") },
    { label: "highest power", value: withUnit(last.power_watts, "W"), note: `mean ${withUnit(last.mean_power_watts, "W")}` },
    { label: "batch", value: count(last.next_batch ?? last.batch) },
    { label: "clock", value: clock(last.next_clock_hertz ?? last.clock_hertz) },
    { label: "samples a second", value: number(last.throughput_samples_per_second, 4) },
    { label: "time", value: withUnit(last.time_seconds, "s"), note: `of ${String(job.options["duration"] ?? "60s")}, ${count(decisions.length)} decisions` },
  ]);
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
