// One job on a page: state, progress, cancel, resume, and what comes of it. It follows the job's events by itself, goes
// on when the server was away, and stops with context.signal.
//
//   jobPanel(context: LiveContext, job: Job, options?: {
//     onEnd?: (job: Job) => void;               // once for each time the job ends (again after a resume); also for a job that had ended
//     onJob?: (job: Job) => void;               // every change, the end too
//     onDecision?: (decision: Decision) => void; // cap runs; after a reconnect only those that are new
//     extra?: HTMLElement;                      // shown below the progress: more controls
//   }): HTMLElement
//
// To start one: context.client.startJob("fleet", {hosts: 16}). A whole page around one kind of job: jobDesk() of desk.ts.
// The document of an ended job: jobResult(context, job) of job_result.ts.

import "./jobs.css";
import { problem } from "../api/loading";
import type { Answer, Decision, Job } from "../api/types";
import { h, replaceChildren } from "../base/dom";
import { badge } from "../charts/chart";
import type { LiveContext } from "../page";
import { followJob } from "./follow_job";
import { jobMessage, jobTimes, stateBadge } from "./job_state";
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
  const words = h("div");
  const away = h("p", { class: "notice away", role: "status", hidden: true }, "The server is away, retrying …");
  const actions = h("div", { class: "tools" });
  let now = job;

  const show = (next: Job) => {
    now = next;
    const running = next.state === "running";
    replaceChildren(state, h("strong", null, next.title), stateBadge(next.state), next.simulated && badge(), h("span", { class: "quiet-text" }, jobTimes(next)));
    replaceChildren(progress, running && progressBar(next.progress));
    replaceChildren(words, jobMessage(next));
    replaceChildren(
      actions,
      running && button("Cancel", () => order("cancel")),
      !running && next.resumable && next.state !== "done" && button("Resume", () => order("resume")),
    );
    panel.dataset["state"] = next.state;
    options.onJob?.(next);
  };
  const order = async (what: "cancel" | "resume") => {
    const answer: Answer<Job> = await context.client.send<Job>("POST", `/jobs/${encodeURIComponent(now.id)}/${what}`, {}, context.signal);
    if (!answer.ok) return replaceChildren(words, problem(answer.error));
    show(answer.value);
    if (what === "resume") follow();
  };
  const follow = () => {
    void followJob(context, now, {
      job: show,
      connected: (connected) => (away.hidden = connected),
      ...(options.onDecision ? { decision: options.onDecision } : {}),
    }).then((ended) => {
      away.hidden = true;
      if (ended.ok) options.onEnd?.(ended.value);
      else if (ended.error.kind !== "cancelled") replaceChildren(words, problem(ended.error));
    });
  };
  const panel = h(
    "section",
    { class: "job", "data-job": job.id, "aria-label": `Job ${job.title}` },
    h("div", { class: "job-line" }, state, actions),
    away,
    progress,
    words,
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

