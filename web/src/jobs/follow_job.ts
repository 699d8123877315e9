// Follows the events of a job until it ends. Reconnects when the server was unreachable.

import { failure } from "../api/client";
import { followEvents } from "../api/events";
import type { ApiResult, Decision, Job } from "../api/types";
import { isObject } from "../documents/document";
import type { LiveContext } from "../page";
import { isActive } from "./job_state";

export interface JobListeners {
  job: (job: Job) => void;
  decision?: (decision: Decision) => void;
  connected?: (connected: boolean) => void;
}

// Resolves with the ended job, or with kind "cancelled" if the user left the page.
export async function followJob(context: LiveContext, job: Job, listeners: JobListeners): Promise<ApiResult<Job>> {
  if (!isActive(job) && !listeners.decision) return { ok: true, value: job };
  let latest = job;
  let newest = -Infinity; // time of the last decision, to skip repeated ones after a reconnect
  const rejected = await followEvents(
    context.client,
    `/jobs/${encodeURIComponent(job.id)}/events`,
    {
      event: (type, data) => {
        if (type === "job" && isJob(data)) {
          latest = data;
          listeners.job(data);
        } else if (type === "decision" && isDecision(data) && data.time_seconds > newest) {
          newest = data.time_seconds;
          listeners.decision?.(data);
        }
      },
      ...(listeners.connected ? { connected: listeners.connected } : {}),
    },
    context.signal,
  );
  if (context.signal.aborted) return failure("cancelled", "The request was cancelled.");
  if (rejected) return isActive(job) ? { ok: false, error: rejected } : { ok: true, value: job };
  if (!isActive(latest)) return { ok: true, value: latest };
  const last = await context.client.get<Job>(`/jobs/${encodeURIComponent(job.id)}`, {}, context.signal);
  if (last.ok) listeners.job(last.value);
  return last;
}

export function isJob(value: unknown): value is Job {
  return isObject(value) && typeof value["id"] === "string" && typeof value["state"] === "string";
}

function isDecision(value: unknown): value is Decision {
  return isObject(value) && typeof value["time_seconds"] === "number";
}
