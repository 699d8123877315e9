import type { Job } from "../api/types";

const jobPages = new Set(["cap", "sweep", "fleet"]);

// The page that shows a job.
export function pageOf({ command }: Job): string {
  return jobPages.has(command) ? command : "jobs";
}
