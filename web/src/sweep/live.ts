import type { Job } from "../api/types";
import { h } from "../base/dom";
import { jobDesk } from "../jobs/desk";
import { jobPanel } from "../jobs/job_panel";
import { jobResult } from "../jobs/job_result";
import type { LiveContext } from "../page";
import { sweepForm } from "./sweep_form";

export function sweepLive(context: LiveContext): HTMLElement {
  return jobDesk(context, {
    command: "sweep",
    lead: "Does a higher clock buy time, or only watts? Run networks at many clocks and see.",
    listTitle: "Sweeps",
    empty: "No sweep yet.",
    form: (offered, start) => sweepForm(offered, context.parameters, start),
    show: (job) => shown(context, job),
  });
}

// A sweep that was ended early has a result too: of the runs that there are.
function shown(context: LiveContext, job: Job): HTMLElement {
  const result = h("div");
  const partial = (ended: Job) =>
    ended.state !== "done" && ended.result && h("p", { class: "notice" }, "This sweep did not finish: below is what its runs say so far. Resume goes on with it.");
  const panel = jobPanel(context, job, {
    onJob: (now) => now.state === "running" && result.replaceChildren(),
    onEnd: (ended) => result.replaceChildren(h("div", null, partial(ended), jobResult(context, ended))),
  });
  return h("div", null, panel, result);
}
