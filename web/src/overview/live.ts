// The start page: devices, energy, running jobs, latest results and links to all pages.

import "../devices/devices.css";
import "../jobs/jobs.css";
import "./overview.css";
import { problem } from "../api/loading";
import { emptyState } from "../base/empty_state";
import { h, replaceChildren } from "../base/dom";
import { linkTo } from "../base/router";
import { deviceCards } from "../devices/cards";
import { noDevices } from "../devices/no_devices";
import { pollGauges } from "../devices/poll_gauges";
import { isActive } from "../jobs/job_state";
import { jobsTable } from "../jobs/jobs_table";
import { pageOf } from "../jobs/page_of";
import type { LiveContext, Page } from "../page";
import { deviceCard } from "./device_card";
import { energySection } from "./energy";
import { latestResults } from "./latest_results";
import { pageList } from "./page_list";

const cardWidth = 17;

export function overviewLive(context: LiveContext, others: readonly Page[]): HTMLElement {
  return h(
    "div",
    { class: "overview" },
    h("p", { class: "lead" }, "Current power and energy of this machine's devices, running jobs and latest results."),
    devices(context),
    h(
      "div",
      { class: "columns" },
      h("section", null, h("h2", null, "Running jobs"), runningJobs(context)),
      h("section", null, h("h2", null, "Latest results"), latestResults(context)),
    ),
    h("h2", null, "What can I do here?"),
    pageList(others),
  );
}

function devices(context: LiveContext): HTMLElement {
  const cards = deviceCards(cardWidth, deviceCard);
  const energy = energySection();
  const messages = h("div", { role: "status" }, h("p", { class: "caption" }, "Loading readings …"));
  void pollGauges(context, (result) => {
    if (!result.ok) return replaceChildren(messages, problem(result.error));
    const found = result.value.devices.length > 0;
    cards.show(result.value.devices);
    energy.element.hidden = !found;
    if (found) {
      energy.show(result.value);
      messages.replaceChildren();
    } else if (!messages.querySelector(".empty-state")) replaceChildren(messages, noDevices());
  });
  return h("section", { "data-section": "devices" }, h("h2", null, "Devices now"), messages, cards.element, energy.element);
}

function runningJobs(context: LiveContext): HTMLElement {
  const link = (page: string, title: string) => h("a", { href: linkTo(page) }, title);
  return jobsTable(context, {
    label: "Running and queued jobs",
    filter: isActive,
    page: pageOf,
    empty: () => emptyState({
      title: "No job is running",
      first: [["Start one: ", link("sweep", "sweep"), ", ", link("cap", "power cap"), ", ", link("fleet", "fleet"), ", or ", link("jobs", "profile and reproduction"), ". The forms contain examples."]],
    }),
  }).element;
}
