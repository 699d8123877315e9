// Polls the list of jobs while the page is visible: every second while a job runs or waits, otherwise every four seconds.

import type { Failure, Job } from "../api/types";
import type { LiveContext } from "../page";
import { isJob } from "./follow_job";
import { isActive } from "./job_state";

const busyMilliseconds = 1000;
const idleMilliseconds = 4000;

export interface JobsListeners {
  jobs: (jobs: readonly Job[]) => void; // newest first
  failed: (failure: Failure) => void;
}

// Returns a function that polls immediately.
export function pollJobs(context: LiveContext, listeners: JobsListeners): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let polling = false;
  const poll = async () => {
    if (polling || context.signal.aborted) return;
    polling = true;
    clearTimeout(timer);
    const answer = document.hidden ? null : await context.client.get<{ jobs: readonly Job[] }>("/jobs", {}, context.signal);
    polling = false;
    if (context.signal.aborted) return;
    let wait = idleMilliseconds;
    if (answer?.ok) {
      const jobs = (answer.value.jobs ?? []).filter(isJob);
      if (jobs.some(isActive)) wait = busyMilliseconds;
      listeners.jobs(newestFirst(jobs));
    } else if (answer) listeners.failed(answer.error);
    timer = setTimeout(() => void poll(), wait);
  };
  document.addEventListener("visibilitychange", () => void poll(), { signal: context.signal });
  context.signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  void poll();
  return () => void poll();
}

function newestFirst(jobs: readonly Job[]): readonly Job[] {
  return [...jobs].sort((a, b) => b.created.localeCompare(a.created));
}
