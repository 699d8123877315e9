// The list of jobs, asked for again and again while the page is open and seen: often while something runs.

import type { Failure, Job } from "../api/types";
import type { LiveContext } from "../page";
import { isJob } from "./follow_job";

const busyMilliseconds = 1000;
const idleMilliseconds = 4000;

export interface JobsListeners {
  jobs: (jobs: readonly Job[]) => void; // newest first
  failed: (failure: Failure) => void;
}

// The answer asks at once, for after an order.
export function watchJobs(context: LiveContext, listeners: JobsListeners): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking = false;
  const ask = async () => {
    if (asking || context.signal.aborted) return;
    asking = true;
    clearTimeout(timer);
    const answer = document.hidden ? null : await context.client.get<{ jobs: readonly Job[] }>("/jobs", {}, context.signal);
    asking = false;
    if (context.signal.aborted) return;
    let wait = idleMilliseconds;
    if (answer?.ok) {
      const jobs = (answer.value.jobs ?? []).filter(isJob);
      if (jobs.some((job) => job.state === "running")) wait = busyMilliseconds;
      listeners.jobs(newestFirst(jobs));
    } else if (answer) listeners.failed(answer.error);
    timer = setTimeout(() => void ask(), wait);
  };
  document.addEventListener("visibilitychange", () => void ask(), { signal: context.signal });
  context.signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  void ask();
  return () => void ask();
}

function newestFirst(jobs: readonly Job[]): readonly Job[] {
  return [...jobs].sort((a, b) => b.created.localeCompare(a.created));
}
