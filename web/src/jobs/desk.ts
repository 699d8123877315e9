// A page around one kind of job: the form that starts it, the job that is looked at, and the list of earlier ones.
// The job is named in the address (?job=ID); without that, the newest that runs is found again after a reload.

import { loading, problem } from "../api/loading";
import type { Job } from "../api/types";
import { h } from "../base/dom";
import type { LiveContext } from "../page";
import type { Choices } from "./choices";
import { choices } from "./choices";
import { jobsTable } from "./jobs_table";

export interface DeskOptions {
  command: string; // "sweep": also the name of the page
  lead: string; // what the page answers
  listTitle: string; // "Earlier sweeps"
  empty: string;
  // The form; `start` starts the job and shows it, or says why not.
  form: (choices: Choices, start: (options: Readonly<Record<string, unknown>>) => Promise<void>) => HTMLElement;
  show: (job: Job) => HTMLElement; // panel, live charts, result
}

export function jobDesk(context: LiveContext, options: DeskOptions): HTMLElement {
  const place = h("div", { class: "desk", "data-desk": options.command });
  const asked = context.parameters.get("job");
  let shown: string | null = null;
  const look = (job: Job) => {
    shown = job.id;
    list.mark(job.id);
    place.replaceChildren(options.show(job));
  };
  const start = async (wanted: Readonly<Record<string, unknown>>) => {
    const answer = await context.client.startJob(options.command, wanted);
    if (!answer.ok) {
      const complaint = place.querySelector(":scope > .problem");
      if (complaint) complaint.replaceWith(problem(answer.error));
      else place.prepend(problem(answer.error));
      return;
    }
    context.keepParameters({ job: answer.value.id });
    look(answer.value);
    list.ask();
    place.scrollIntoView({ block: "nearest" });
  };
  let first = true;
  const list = jobsTable(context, {
    short: true,
    label: options.listTitle,
    of: (job) => job.command === options.command,
    page: () => options.command,
    empty: options.empty,
    onJobs: (jobs) => {
      if (!first) return;
      first = false;
      if (shown !== null) return;
      const own = jobs.filter((job) => job.command === options.command);
      const wanted = asked === null ? own.find((job) => job.state === "running") : own.find((job) => job.id === asked);
      if (wanted) look(wanted);
      else if (asked !== null) place.replaceChildren(h("p", { class: "problem", role: "alert" }, "There is no such job any more."));
    },
  });
  return h(
    "div",
    null,
    h("p", { class: "lead" }, options.lead),
    loading(choices(context), (offered) => options.form(offered, start), "Asking for networks and devices"),
    h("h2", null, options.listTitle),
    list.element,
    place,
  );
}
