// The live page: a form that starts a simulated fleet, its job and result, and the documents kept earlier.

import { h } from "../base/dom";
import { numberField } from "../base/fields";
import { form } from "../base/form";
import { jobDesk } from "../jobs/desk";
import { jobPanel } from "../jobs/job_panel";
import { jobResult } from "../jobs/job_result";
import type { LiveContext } from "../page";
import { keptDocument, keptList } from "../reproduce/kept_list";

const kept = ["ergon.fleet/1", "ergon.fleet.generate/1", "ergon.reproduce.terascope/1"];

export const lead = "Where did the energy and the time of many GPUs go, and what is worth mending?";

export function fleetLive(context: LiveContext): HTMLElement {
  const opened = keptDocument(context, "fleet");
  if (opened) return h("div", null, h("p", { class: "lead" }, lead), opened);
  return h(
    "div",
    null,
    jobDesk(context, {
      command: "fleet",
      lead: `${lead} Here for a simulated fleet; ergon fleet analyze reads the logs of a real one.`,
      listTitle: "Fleets made here",
      empty: "No fleet was made here yet.",
      form: (_choices, start) => fleetForm(start),
      show: (job) => {
        const result = h("div", { "data-result": "fleet" });
        const panel = jobPanel(context, job, { onEnd: (ended) => ended.result && result.replaceChildren(jobResult(context, ended)) });
        return h("div", null, panel, result);
      },
    }),
    h("h2", null, "Kept analyses"),
    keptList(context, "fleet", kept, "Kept analyses of fleets"),
  );
}

function fleetForm(start: (options: Readonly<Record<string, unknown>>) => Promise<void>): HTMLElement {
  return form({
    label: "Simulate and analyse a fleet",
    fields: [
      numberField({ name: "hosts", label: "Hosts", value: "64", least: 1, most: 4096, step: 1, required: true }),
      numberField({ name: "hours", label: "Hours", value: "1", least: 0.1, most: 48, required: true, hint: "of simulated time" }),
      numberField({ name: "seed", label: "Seed", value: "1", least: 0, step: 1, hint: "another one, another fleet" }),
      numberField({ name: "loss", label: "Rows lost", value: "0", least: 0, most: 50, unit: "%", hint: "of events and samples" }),
      numberField({ name: "skew", label: "Clocks ahead by", value: "0", least: 0, most: 60, unit: "s", hint: "on one host in 100" }),
      numberField({ name: "price-kwh", label: "Price of a kWh", value: "0.30", least: 0 }),
    ],
    submit: "Simulate and analyse",
    onSubmit: (values) => start(values),
  }).element;
}
