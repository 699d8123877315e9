// All jobs, forms for the kinds that have no page of their own, and the job that is looked at (?job=ID).

import { loading, problem } from "../api/loading";
import type { Job } from "../api/types";
import { h } from "../base/dom";
import type { LiveContext } from "../page";
import { choices } from "./choices";
import { jobPanel } from "./job_panel";
import { jobResult } from "./job_result";
import { jobsTable } from "./jobs_table";
import { profileForm } from "./profile_form";
import { reproduceForm } from "./reproduce_form";

const ownPages = new Set(["cap", "sweep", "fleet"]);

export function jobsLive(context: LiveContext): HTMLElement {
  const place = h("div", { class: "desk", "data-desk": "jobs" });
  const list = jobsTable(context, {
    label: "Jobs",
    page: ({ command }) => (ownPages.has(command) ? command : "jobs"),
    empty: "No job yet. Start one here, or on the pages Sweep, Cap and Fleet.",
  });
  const look = (job: Job) => {
    list.mark(job.id);
    const result = h("div");
    place.replaceChildren(jobPanel(context, job, { onEnd: (ended) => result.replaceChildren(jobResult(context, ended)) }), result);
  };
  const start = (command: string) => async (options: Readonly<Record<string, unknown>>) => {
    const answer = await context.client.startJob(command, options);
    if (!answer.ok) return place.replaceChildren(problem(answer.error));
    context.keepParameters({ job: answer.value.id });
    look(answer.value);
    list.ask();
    place.scrollIntoView({ block: "nearest" });
  };
  const asked = context.parameters.get("job");
  if (asked !== null) {
    void context.client.get<Job>(`/jobs/${encodeURIComponent(asked)}`, {}, context.signal).then((answer) => {
      if (answer.ok) look(answer.value);
      else if (answer.error.kind !== "cancelled") place.replaceChildren(problem(answer.error));
    });
  }
  return h(
    "div",
    null,
    h("p", { class: "lead" }, "What is the server working on, and what has it finished?"),
    list.element,
    place,
    fold("Profile: run networks and keep what they cost", () =>
      loading(choices(context), (offered) => profileForm(offered, start("profile")), "Asking for networks and devices")),
    fold("Reproduce: a paper's claims beside what comes out here", () => reproduceForm(start("reproduce"))),
  );
}

// Built when it is first opened.
function fold(title: string, build: () => HTMLElement): HTMLElement {
  const details = h("details", { class: "nested start" }, h("summary", null, title));
  details.addEventListener("toggle", () => details.open && details.childElementCount === 1 && details.append(build()));
  return details;
}
