// All jobs, the selected job (?job=ID), and forms for the jobs that have no page of their own.

import { loading, problem } from "../api/loading";
import type { Job } from "../api/types";
import { h } from "../base/dom";
import { emptyState } from "../base/empty_state";
import type { LiveContext } from "../page";
import { choices } from "./choices";
import { exampleLinks } from "./examples";
import { jobPanel } from "./job_panel";
import { jobResult } from "./job_result";
import { jobsTable } from "./jobs_table";
import { pageOf } from "./page_of";
import { profileForm } from "./profile_form";
import { reproduceForm } from "./reproduce_form";

export function jobsLive(context: LiveContext): HTMLElement {
  const selected = h("div", { class: "selected-job", "data-selected": "jobs" });
  const list = jobsTable(context, {
    label: "Jobs",
    page: pageOf,
    empty: () => emptyState({
      title: "No jobs yet",
      first: ["Start a profile or a reproduction below. The forms contain examples.", "Or start the example of another page:"],
      examples: exampleLinks(),
      then: "Jobs are listed here with state, progress and result. They continue when this page is closed.",
    }),
  });
  const select = (job: Job) => {
    list.mark(job.id);
    const result = h("div");
    selected.replaceChildren(jobPanel(context, job, { onEnd: (ended) => result.replaceChildren(jobResult(context, ended)) }), result);
  };
  const start = (command: string) => async (options: Readonly<Record<string, unknown>>) => {
    const answer = await context.client.startJob(command, options);
    if (!answer.ok) return selected.replaceChildren(problem(answer.error));
    context.keepParameters({ job: answer.value.id });
    select(answer.value);
    list.update();
    selected.scrollIntoView({ block: "nearest" });
  };
  const requested = context.parameters.get("job");
  if (requested !== null) {
    void context.client.get<Job>(`/jobs/${encodeURIComponent(requested)}`, {}, context.signal).then((answer) => {
      if (answer.ok) select(answer.value);
      else if (answer.error.kind !== "cancelled") selected.replaceChildren(problem(answer.error));
    });
  }
  return h(
    "div",
    null,
    h("p", { class: "lead" }, "Running and ended jobs of this server."),
    list.element,
    selected,
    h("h2", null, "New profile"),
    h("p", { class: "caption" }, "Measures networks and their operations on a device."),
    loading(choices(context), (offered) => profileForm(offered, start("profile")), "Loading networks and devices"),
    h("h2", null, "New reproduction"),
    h("p", { class: "caption" }, "Compares the claims of a paper with results obtained here."),
    reproduceForm(start("reproduce")),
  );
}
