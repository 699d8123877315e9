import type { Job } from "../api/types";
import { h } from "../base/dom";
import { emptyState } from "../base/empty_state";
import { examples } from "../jobs/examples";
import { jobPage } from "../jobs/job_page";
import { jobPanel } from "../jobs/job_panel";
import { isActive } from "../jobs/job_state";
import { jobResult } from "../jobs/job_result";
import type { LiveContext } from "../page";
import { sweepForm } from "./sweep_form";

export function sweepLive(context: LiveContext): HTMLElement {
  return jobPage(context, {
    command: "sweep",
    lead: "Measure networks at many clocks and see what the clock changes in time, power and energy.",
    listTitle: "Sweeps",
    example: (run) => emptyState({
      title: "No sweep yet",
      first: [`The form contains an example: ${examples.sweep}. No GPU is needed.`, "Start it, or choose your device, clocks and networks first."],
      start: { label: "Start the example", run },
      then: "This page then shows time, power and energy over the clock, the best clocks and the correlations.",
    }),
    form: (offered, start) => sweepForm(offered, context.parameters, start),
    show: (job) => shown(context, job),
  });
}

// A cancelled sweep has a partial result.
function shown(context: LiveContext, job: Job): HTMLElement {
  const result = h("div");
  const partial = (ended: Job) =>
    ended.state !== "done" && ended.result && h("p", { class: "notice" }, "This sweep is incomplete: the result contains the finished runs. Press Resume to continue.");
  const panel = jobPanel(context, job, {
    onJob: (now) => isActive(now) && result.replaceChildren(),
    onEnd: (ended) => result.replaceChildren(h("div", null, partial(ended), jobResult(context, ended))),
  });
  return h("div", null, panel, result);
}
