import type { Job, JobState } from "../api/types";
import { h } from "../base/dom";
import { duration, instant, unknown } from "../base/format";

// Queued or running: it can be cancelled, and its state will change.
export function isActive(job: Job): boolean {
  return job.state === "queued" || job.state === "running";
}

const reasons: Partial<Record<JobState, string>> = {
  queued: "Starts when fewer jobs run",
  interrupted: "The server ended while the job ran",
};

export function stateBadge(state: JobState): HTMLElement {
  return h("span", { class: `state state-${state}`, "data-state": state, title: reasons[state] ?? null }, state);
}

// Empty until the job ends.
export function jobDuration(job: Job): string {
  const seconds = job.ended === null ? NaN : (Date.parse(job.ended) - Date.parse(job.created)) / 1000;
  return Number.isNaN(seconds) ? "" : duration(seconds);
}

// "2026-11-16 19:15 UTC, took 2 min 3 s".
export function jobTimes(job: Job): string {
  const length = jobDuration(job);
  return length === "" ? `since ${instant(job.created)}` : `${instant(job.created)}, took ${length}`;
}

// Why a job failed, was interrupted or waits.
export function jobMessage(job: Job): HTMLElement | null {
  const bad = job.state === "failed" || job.state === "interrupted";
  const message = job.message || (job.state === "failed" ? `Failed with exit code ${job.exit_code ?? unknown}.` : "");
  return message === "" ? null : h("p", bad ? { class: "problem", role: "alert" } : { class: "caption" }, message);
}
