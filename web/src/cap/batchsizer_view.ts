// View of ergon.reproduce.batchsizer: jobs, figures and claims of the paper.

import { h } from "../base/dom";
import { change, count, percent, si, unknown } from "../base/format";
import { facts } from "../charts/facts";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { num, object, objects, text } from "../documents/document";
import type { View } from "../documents/views";
import { claimsView } from "../reproduce/claims_view";
import { batchCurves } from "./batch_curves";
import type { PaperJob } from "./batchsizer";
import { paperJobs } from "./batchsizer";
import type { JobsChart } from "./paper_jobs_chart";
import { paperJobsChart, resultColumns } from "./paper_jobs_chart";

const throughput: JobsChart = {
  id: "batchsizer-throughput",
  title: "Throughput of each controller, and of the oracle",
  caption: "As figure 5 of the paper. The oracle is an exhaustive search over batch and clock; random variation can put a run slightly above it.",
  axis: "throughput (samples/s)",
  read: (result) => result.throughput,
  reference: { label: "oracle", read: ({ best }) => best },
};
const power: JobsChart = {
  id: "batchsizer-power",
  title: "Max power of each controller, and the cap",
  caption: "As figure 7 of the paper. The distance to the cap is unused power.",
  axis: "max power (W)",
  read: (result) => result.power_max_watts,
  reference: { label: "cap", read: ({ cap_watts }) => cap_watts },
};
const batch: JobsChart = {
  id: "batchsizer-mean-batch",
  title: "Mean batch of each controller",
  caption: "As figure 6 of the paper. Logarithmic axis. DVFS always uses batch 16.",
  axis: "mean batch",
  read: (result) => result.mean_batch,
  log: true,
};

export const batchsizerView: View = ({ body, simulated }) => {
  const jobs = paperJobs(body);
  const claims = objects(body, "claims");
  return h(
    "section",
    null,
    h("h2", null, "Reproduction of the BatchSizer paper"),
    h("p", { class: "lead" }, `${text(body, "paper") ?? unknown}. ${jobs.length > 0 ? `${jobs.length} jobs on a ${text(body, "device") ?? unknown}, each with its own power cap.` : ""}`),
    jobs.length > 0 && facts(summary(body, jobs)),
    claims.length > 0 && [h("h2", null, "Claims"), claimsView([...claims], simulated)],
    jobs.length > 0 && [
      h("h2", null, "Jobs"),
      h("div", { class: "columns" }, paperJobsChart(jobs, simulated, throughput), paperJobsChart(jobs, simulated, power)),
      paperJobsChart(jobs, simulated, batch),
      table({ label: "Results of the controllers", columns: resultColumns, rows: jobs.flatMap(({ results }) => results), csvName: "batchsizer-jobs", simulated }),
    ],
    batchCurves(body, simulated),
  );
};

function summary(body: JsonObject, jobs: readonly PaperJob[]) {
  const gains = jobs.flatMap(({ gain }) => (gain === null ? [] : [gain])).sort((a, b) => a - b);
  const joint = jobs.flatMap(({ results }) => results.filter(({ controller, share_of_best }) => controller === "joint" && share_of_best !== null).map(({ share_of_best }) => share_of_best ?? 0));
  const input = object(body, "input");
  return [
    { label: "BatchSizer over DVFS, max", value: change(gains[gains.length - 1] ?? null) },
    { label: "BatchSizer over DVFS, min", value: change(gains[0] ?? null) },
    { label: "jobs with a gain", value: `${gains.filter((gain) => gain > 0).length} of ${gains.length}` },
    { label: "joint, min share of the oracle", value: percent(joint.length > 0 ? Math.min(...joint) : null) },
    { label: "images per job", value: count(num(body, "images")) },
    { label: "input time per call", value: si(num(input, "call_seconds"), "s"), note: `per image ${si(num(input, "imagenet_image_seconds"), "s")} (ImageNet), ${si(num(input, "caltech_image_seconds"), "s")} (Caltech)` },
  ];
}
