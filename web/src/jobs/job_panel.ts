// One job: state, progress, cancel and resume. It follows the job's events until context.signal is aborted.
//
//   jobPanel(context: LiveContext, job: Job, options?: {
//     onEnd?: (job: Job) => void;               // each time the job ends (again after a resume); also for an ended job
//     onJob?: (job: Job) => void;               // every change, including the end
//     onDecision?: (decision: Decision) => void; // cap jobs; each decision once
//     extra?: HTMLElement;                      // further controls, shown below the progress
//   }): HTMLElement
//
// To start a job: context.client.startJob("fleet", {hosts: 16}). Page for one kind of job: job_page.ts. Document of an
// ended job: job_result.ts.

import "./jobs.css";
import { problem } from "../api/loading";
import type { ApiResult, Decision, Job } from "../api/types";
import { h, replaceChildren } from "../base/dom";
import { badge } from "../charts/chart";
import type { LiveContext } from "../page";
import { followJob } from "./follow_job";
import { isActive, jobMessage, jobTimes, stateBadge } from "./job_state";
import { progressBar } from "./progress";

export interface JobPanelOptions {
  onEnd?: (job: Job) => void;
  onJob?: (job: Job) => void;
  onDecision?: (decision: Decision) => void;
  extra?: HTMLElement;
}

export function jobPanel(context: LiveContext, job: Job, options: JobPanelOptions = {}): HTMLElement {
  const state = h("span", { class: "job-head" });
  const progress = h("div", { class: "job-progress" });
  const messages = h("div");
  const unreachable = h("p", { class: "notice unreachable", role: "status", hidden: true }, "The server does not respond. Retrying …");
  const actions = h("div", { class: "tools" });
  let now = job;

  const show = (next: Job) => {
    now = next;
    const running = next.state === "running";
    replaceChildren(state, h("strong", null, next.title), stateBadge(next.state), next.simulated && badge(), h("span", { class: "quiet-text" }, jobTimes(next)));
    replaceChildren(progress, running && progressBar(next.progress));
    replaceChildren(messages, jobMessage(next));
    replaceChildren(
      actions,
      isActive(next) && button("Cancel", () => send("cancel")),
      !isActive(next) && next.resumable && next.state !== "done" && button("Resume", () => send("resume")),
    );
    panel.dataset["state"] = next.state;
    options.onJob?.(next);
  };
  const send = async (what: "cancel" | "resume") => {
    const answer: ApiResult<Job> = await context.client.send<Job>("POST", `/jobs/${encodeURIComponent(now.id)}/${what}`, {}, context.signal);
    if (!answer.ok) return replaceChildren(messages, problem(answer.error));
    show(answer.value);
    if (what === "resume") follow();
  };
  const follow = () => {
    void followJob(context, now, {
      job: show,
      connected: (connected) => (unreachable.hidden = connected),
      ...(options.onDecision ? { decision: options.onDecision } : {}),
    }).then((ended) => {
      unreachable.hidden = true;
      if (ended.ok) options.onEnd?.(ended.value);
      else if (ended.error.kind !== "cancelled") replaceChildren(messages, problem(ended.error));
    });
  };
  const panel = h(
    "section",
    { class: "job", "data-job": job.id, "aria-label": `Job ${job.title}` },
    h("div", { class: "job-line" }, state, actions),
    unreachable,
    progress,
    messages,
    options.extra,
  );
  show(job);
  follow();
  return panel;
}

function button(label: string, act: () => Promise<void>): HTMLElement {
  const element = h("button", { type: "button" }, label);
  element.addEventListener("click", () => {
    element.disabled = true;
    void act().finally(() => (element.disabled = false));
  });
  return element;
}

