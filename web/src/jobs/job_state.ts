import type { Job, JobState } from "../api/types";
import { h } from "../base/dom";
import { duration, instant, unknown } from "../base/format";

export function stateBadge(state: JobState): HTMLElement {
  const reason = state === "interrupted" ? "The server ended while it ran" : null;
  return h("span", { class: `state state-${state}`, "data-state": state, title: reason }, state);
}

// "" while it runs.
export function jobTook(job: Job): string {
  const seconds = job.ended === null ? NaN : (Date.parse(job.ended) - Date.parse(job.created)) / 1000;
  return Number.isNaN(seconds) ? "" : duration(seconds);
}

// "2026-11-16 19:15 UTC, took 2 min 3 s".
export function jobTimes(job: Job): string {
  const took = jobTook(job);
  return took === "" ? `since ${instant(job.created)}` : `${instant(job.created)}, took ${took}`;
}

// The last words of a failure; some have none.
export function jobMessage(job: Job): HTMLElement | null {
  const bad = job.state === "failed" || job.state === "interrupted";
  const words = job.message || (job.state === "failed" ? `It failed with exit code ${job.exit_code ?? unknown}.` : "");
  return words === "" ? null : h("p", bad ? { class: "problem", role: "alert" } : { class: "caption" }, words);
}
