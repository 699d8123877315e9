// Jobs as a table that keeps itself up to date. Rows stay the same elements, so that focus and clicks are not lost.

import { problem } from "../api/loading";
import type { Job } from "../api/types";
import { h, replaceChildren } from "../base/dom";
import { instant } from "../base/format";
import { linkTo } from "../base/router";
import { badge } from "../charts/chart";
import type { LiveContext } from "../page";
import { jobTook, stateBadge } from "./job_state";
import { progressBar } from "./progress";
import { watchJobs } from "./watch_jobs";

export interface JobsTableOptions {
  label: string;
  of?: (job: Job) => boolean; // which jobs; all without it
  page?: (job: Job) => string; // the page that a row leads to; the jobs page without it
  short?: boolean; // a few rows, the others by scrolling: what the page shows follows below
  empty: string; // said where there are none
  onJobs?: (jobs: readonly Job[]) => void; // each time they were asked for
}

export interface JobsTable {
  element: HTMLElement;
  ask: () => void; // now: after a job was started
  mark: (id: string | null) => void; // the one that the page shows
}

interface Row {
  element: HTMLTableRowElement;
  show: (job: Job) => void;
}

export function jobsTable(context: LiveContext, options: JobsTableOptions): JobsTable {
  const rows = new Map<string, Row>();
  const body = h("tbody");
  const words = h("div", { "aria-live": "polite" }, h("p", { role: "status" }, "Loading …"));
  const heads = ["job", "state", "progress", "started", "took", ""];
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
    const jobs = options.of ? all.filter(options.of) : all;
    for (const job of jobs) {
      let row = rows.get(job.id);
      if (!row) rows.set(job.id, (row = makeRow(context, options, ask, (error) => replaceChildren(words, error))));
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
    replaceChildren(words, jobs.length === 0 && h("p", { class: "caption" }, options.empty));
    mark(marked);
    options.onJobs?.(all);
  };
  const ask = watchJobs(context, { jobs: show, failed: (failure) => failure.kind !== "cancelled" && replaceChildren(words, problem(failure)) });
  return { element: h("div", { class: "table" }, words, scroll), ask, mark };
}

function makeRow(context: LiveContext, options: JobsTableOptions, ask: () => void, say: (error: HTMLElement) => void): Row {
  const element = h("tr");
  let shown = "";
  const order = async (method: "POST" | "DELETE", path: string, body?: unknown) => {
    const answer = await context.client.send(method, path, body, context.signal);
    ask();
    if (!answer.ok) say(problem(answer.error));
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
    const button = (label: string, act: () => Promise<void>) =>
      h("button", { type: "button", class: "quiet", "aria-label": `${label} ${job.command} ${job.title}`, onclick: () => void act() }, label);
    const remove = async () => {
      if (confirm(`Delete ${job.command} ${job.title} and its result?`)) await order("DELETE", path);
    };
    replaceChildren(
      element,
      h("td", { class: "name" }, h("a", { href: linkTo(options.page?.(job) ?? "jobs", { job: job.id }) }, `${job.command}: ${job.title}`), " ", job.simulated && badge()),
      h("td", null, stateBadge(job.state)),
      h("td", { title: job.message || null }, running ? progressBar(job.progress) : (job.message ?? "").split("\n")[0]),
      h("td", null, instant(job.created)),
      h("td", null, jobTook(job)),
      h(
        "td",
        null,
        h(
          "div",
          { class: "tools" },
          running && button("Cancel", () => order("POST", `${path}/cancel`, {})),
          !running && job.resumable && job.state !== "done" && button("Resume", () => order("POST", `${path}/resume`, {})),
          job.result && h("a", { href: linkTo("results", { id: job.id }), "aria-label": `Result of ${job.command} ${job.title}` }, "Result"),
          !running && button("Delete", remove),
        ),
      ),
    );
    if (focused) [...element.querySelectorAll<HTMLElement>("a, button")].find((each) => each.textContent === focused)?.focus();
  };
  return { element, show };
}
