// A page for one kind of job: the form that starts it, the selected job, and the list of jobs. The address names the
// selected job (?job=ID); default: the newest running job, the newest queued job, or the newest job.

import { loading, problem } from "../api/loading";
import type { Job } from "../api/types";
import { h } from "../base/dom";
import type { LiveContext } from "../page";
import type { Choices } from "./choices";
import { choices } from "./choices";
import { isActive } from "./job_state";
import { jobsTable } from "./jobs_table";

export interface JobPageOptions {
  command: string; // "sweep": also the name of the page
  lead: string; // purpose of the page
  listTitle: string; // "Earlier sweeps"
  // Shown while there are no jobs: what to do first and what the result looks like. `start` submits the form.
  example: (start: () => void) => HTMLElement;
  stored?: HTMLElement; // further results, shown below the list of jobs
  // The form; `start` starts the job and shows it, or shows the error.
  form: (choices: Choices, start: (options: Readonly<Record<string, unknown>>) => Promise<void>) => HTMLElement;
  show: (job: Job) => HTMLElement; // job panel, charts, result
}

export function jobPage(context: LiveContext, options: JobPageOptions): HTMLElement {
  const place = h("div", { class: "selected-job", "data-selected": options.command });
  const requested = context.parameters.get("job");
  let shown: string | null = null;
  const select = (job: Job) => {
    shown = job.id;
    list.mark(job.id);
    place.replaceChildren(options.show(job));
  };
  const start = async (jobOptions: Readonly<Record<string, unknown>>) => {
    const answer = await context.client.startJob(options.command, jobOptions);
    if (!answer.ok) {
      const shownError = place.querySelector(":scope > .problem");
      if (shownError) shownError.replaceWith(problem(answer.error));
      else place.prepend(problem(answer.error));
      return;
    }
    context.keepParameters({ job: answer.value.id });
    select(answer.value);
    list.update();
    place.scrollIntoView({ block: "nearest" });
  };
  let first = true;
  const list = jobsTable(context, {
    short: true,
    label: options.listTitle,
    filter: (job) => job.command === options.command,
    page: () => options.command,
    empty: () => options.example(() => forms.querySelector("form")?.requestSubmit()),
    onJobs: (jobs) => {
      if (!first) return;
      first = false;
      if (shown !== null) return;
      const own = jobs.filter((job) => job.command === options.command);
      const wanted = requested === null ? (own.find((job) => job.state === "running") ?? own.find(isActive) ?? own[0]) : own.find((job) => job.id === requested);
      if (wanted) select(wanted);
      else if (requested !== null) place.replaceChildren(h("p", { class: "problem", role: "alert" }, "This job no longer exists."));
    },
  });
  const forms = loading(choices(context), (offered) => options.form(offered, start), "Loading networks and devices");
  return h(
    "div",
    null,
    h("p", { class: "lead" }, options.lead),
    forms,
    h("h2", null, options.listTitle),
    list.element,
    options.stored,
    place,
  );
}
