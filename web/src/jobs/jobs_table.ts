// A table of jobs that updates itself. Rows are reused, so that focus and clicks are not lost.

import { problem } from "../api/loading";
import type { Job } from "../api/types";
import { h, replaceChildren } from "../base/dom";
import { instant } from "../base/format";
import { linkTo } from "../base/router";
import { badge } from "../charts/chart";
import type { LiveContext } from "../page";
import { isActive, jobDuration, stateBadge } from "./job_state";
import { progressBar } from "./progress";
import { pollJobs } from "./poll_jobs";

export interface JobsTableOptions {
  label: string;
  filter?: (job: Job) => boolean; // default: all jobs
  page?: (job: Job) => string; // page of the row's link; default: jobs
  short?: boolean; // a few rows with scrolling
  empty: () => HTMLElement; // shown if there are no jobs
  onJobs?: (jobs: readonly Job[]) => void; // after each update
}

export interface JobsTable {
  element: HTMLElement;
  update: () => void; // now
  mark: (id: string | null) => void; // the selected job
}

interface Row {
  element: HTMLTableRowElement;
  show: (job: Job) => void;
}

export function jobsTable(context: LiveContext, options: JobsTableOptions): JobsTable {
  const rows = new Map<string, Row>();
  const body = h("tbody");
  const messages = h("div", { "aria-live": "polite" }, h("p", { role: "status" }, "Loading …"));
  const heads = ["job", "state", "progress", "created", "duration", ""];
  const scroll = h(
    "div",
    { class: options.short ? "scroll short" : "scroll", tabindex: 0, role: "region", "aria-label": options.label, hidden: true },
    h("table", { class: "job-table" }, h("thead", null, h("tr", null, heads.map((head) => h("th", { scope: "col" }, head)))), body),
  );
  let marked: string | null = null;
  const mark = (id: string | null) => {
    marked = id;
    for (const [job, row] of rows) {
      if (job === id) row.element.setAttribute("aria-current", "true");
      else row.element.removeAttribute("aria-current");
    }
  };
  const show = (all: readonly Job[]) => {
    const jobs = options.filter ? all.filter(options.filter) : all;
    for (const job of jobs) {
      let row = rows.get(job.id);
      if (!row) rows.set(job.id, (row = makeRow(context, options, update, (error) => replaceChildren(messages, error))));
      row.show(job);
    }
    for (const [id, row] of rows) {
      if (jobs.some((job) => job.id === id)) continue;
      row.element.remove();
      rows.delete(id);
    }
    jobs.forEach((job, index) => {
      const element = rows.get(job.id)!.element;
      if (body.children[index] !== element) body.insertBefore(element, body.children[index] ?? null);
    });
    scroll.hidden = jobs.length === 0;
    if (jobs.length > 0) messages.replaceChildren();
    else if (!messages.querySelector(".empty-state")) replaceChildren(messages, options.empty());
    mark(marked);
    options.onJobs?.(all);
  };
  const update = pollJobs(context, { jobs: show, failed: (failure) => failure.kind !== "cancelled" && replaceChildren(messages, problem(failure)) });
  return { element: h("div", { class: "table" }, messages, scroll), update, mark };
}

function makeRow(context: LiveContext, options: JobsTableOptions, update: () => void, showError: (error: HTMLElement) => void): Row {
  const element = h("tr");
  let shown = "";
  const send = async (method: "POST" | "DELETE", path: string, body?: unknown) => {
    const answer = await context.client.send(method, path, body, context.signal);
    update();
    if (!answer.ok) showError(problem(answer.error));
  };
  const show = (job: Job) => {
    const text = JSON.stringify(job);
    if (text === shown) return;
    const focused = element.contains(document.activeElement) ? document.activeElement?.textContent : null;
    shown = text;
    element.dataset["job"] = job.id;
    element.dataset["state"] = job.state;
    const path = `/jobs/${encodeURIComponent(job.id)}`;
    const running = job.state === "running";
    const active = isActive(job);
    const button = (label: string, act: () => Promise<void>) =>
      h("button", { type: "button", class: "quiet", "aria-label": `${label} ${job.command} ${job.title}`, onclick: () => void act() }, label);
    const remove = async () => {
      if (confirm(`Delete ${job.command} ${job.title} and its result?`)) await send("DELETE", path);
    };
    replaceChildren(
      element,
      h("td", { class: "name" }, h("a", { href: linkTo(options.page?.(job) ?? "jobs", { job: job.id }) }, `${job.command}: ${job.title}`), " ", job.simulated && badge()),
      h("td", null, stateBadge(job.state)),
      h("td", { title: job.message || null }, running ? progressBar(job.progress) : (job.message ?? "").split("\n")[0]),
      h("td", null, instant(job.created)),
      h("td", null, jobDuration(job)),
      h(
        "td",
        null,
        h(
          "div",
          { class: "tools" },
          active && button("Cancel", () => send("POST", `${path}/cancel`, {})),
          !active && job.resumable && job.state !== "done" && button("Resume", () => send("POST", `${path}/resume`, {})),
          job.result && h("a", { href: linkTo("results", { id: job.id }), "aria-label": `Result of ${job.command} ${job.title}` }, "Result"),
          !active && button("Delete", remove),
        ),
      ),
    );
    if (focused) [...element.querySelectorAll<HTMLElement>("a, button")].find((each) => each.textContent === focused)?.focus();
  };
  return { element, show };
}
