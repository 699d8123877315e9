// The live page: a form that starts a simulated fleet, its job and result, and stored documents.

import { h } from "../base/dom";
import { emptyState } from "../base/empty_state";
import { numberField } from "../base/fields";
import { form } from "../base/form";
import { examples } from "../jobs/examples";
import { jobPage } from "../jobs/job_page";
import { jobPanel } from "../jobs/job_panel";
import { jobResult } from "../jobs/job_result";
import type { LiveContext } from "../page";
import { openedDocument, storedDocuments } from "../results/stored_documents";

// Documents of version 2 have no unattributed energy.
export const storedSchemas: readonly string[] = [
  "ergon.fleet/3", "ergon.fleet/2", "ergon.fleet.generate/1", "ergon.reproduce.terascope/3", "ergon.reproduce.terascope/2",
];

export const lead = "Energy and time of many GPUs, and what to improve.";

export function fleetLive(context: LiveContext): HTMLElement {
  const opened = openedDocument(context, "fleet");
  if (opened) return h("div", null, h("p", { class: "lead" }, lead), opened);
  return h(
    "div",
    null,
    jobPage(context, {
      command: "fleet",
      lead: `${lead} This page simulates a fleet; ergon fleet analyze reads logs of a real one.`,
      listTitle: "Simulated fleets",
      example: (run) => emptyState({
        title: "No fleet yet",
        first: [`The form contains an example: ${examples.fleet}. No GPU is needed.`, "Start it, or analyze your own logs with ergon fleet analyze (see below)."],
        start: { label: "Start the example", run },
        then: "This page then shows recommendations, energy by event, hosts over time, durations and anomalies.",
      }),
      form: (_choices, start) => fleetForm(start),
      show: (job) => {
        const result = h("div", { "data-result": "fleet" });
        const panel = jobPanel(context, job, { onEnd: (ended) => ended.result && result.replaceChildren(jobResult(context, ended)) });
        return h("div", null, panel, result);
      },
      stored: h("section", null, h("h2", null, "Stored analyses"), storedDocuments(context, {
        page: "fleet", schemas: storedSchemas, label: "Stored analyses",
        example: "ergon fleet analyze --checkpoints events.csv --gpu gpu.csv --json > RESULTS/fleet.json",
      })),
    }),
  );
}

function fleetForm(start: (options: Readonly<Record<string, unknown>>) => Promise<void>): HTMLElement {
  return form({
    label: "Simulate and analyze a fleet",
    fields: [
      numberField({ name: "hosts", label: "Hosts", value: "64", min: 1, max: 4096, step: 1, required: true }),
      numberField({ name: "hours", label: "Hours", value: "1", min: 0.1, max: 48, required: true, hint: "of simulated time" }),
      numberField({ name: "seed", label: "Seed", value: "1", min: 0, step: 1, hint: "of the random numbers" }),
      numberField({ name: "loss", label: "Lost rows", value: "0", min: 0, max: 50, unit: "%", hint: "of checkpoints and telemetry" }),
      numberField({ name: "skew", label: "Clock offset", value: "0", min: 0, max: 60, unit: "s", hint: "of one host in 100" }),
      numberField({ name: "price-kwh", label: "Price per kWh", value: "0.30", min: 0 }),
    ],
    submit: "Simulate and analyze",
    onSubmit: (values) => start(values),
  }).element;
}
