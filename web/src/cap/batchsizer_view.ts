// The view of ergon.reproduce.batchsizer/1: the paper's twenty jobs, its first figure, and its claims.

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
import { paperJobsChart, reachedColumns } from "./paper_jobs_chart";

const throughput: JobsChart = {
  id: "batchsizer-throughput",
  title: "Throughput of each controller beside the best possible",
  caption: "As figure 5 of the paper. The best is by any batch and clock, searched exhaustively; a run can come out slightly above it, as images scatter.",
  axis: "throughput (samples/s)",
  read: (reached) => reached.throughput,
  reference: { label: "best possible", read: ({ best }) => best },
};
const power: JobsChart = {
  id: "batchsizer-power",
  title: "Highest power of each controller against the cap",
  caption: "As figure 7 of the paper: what is far left of its cap leaves power unused.",
  axis: "highest power (W)",
  read: (reached) => reached.power_max_watts,
  reference: { label: "cap", read: ({ cap_watts }) => cap_watts },
};
const batch: JobsChart = {
  id: "batchsizer-mean-batch",
  title: "Mean batch of each controller",
  caption: "As figure 6 of the paper. The axis is logarithmic; DVFS always takes 16.",
  axis: "mean batch",
  read: (reached) => reached.mean_batch,
  log: true,
};

export const batchsizerView: View = ({ body, simulated }) => {
  const jobs = paperJobs(body);
  const claims = objects(body, "claims");
  return h(
    "section",
    null,
    h("h2", null, "The BatchSizer paper, done again"),
    h("p", { class: "lead" }, `${text(body, "paper") ?? unknown}. ${jobs.length > 0 ? `${jobs.length} jobs on a ${text(body, "device") ?? unknown}, each under its own cap.` : ""}`),
    jobs.length > 0 && facts(summary(body, jobs)),
    claims.length > 0 && [h("h2", null, "Claims"), claimsView([...claims], simulated)],
    jobs.length > 0 && [
      h("h2", null, "Jobs"),
      h("div", { class: "columns" }, paperJobsChart(jobs, simulated, throughput), paperJobsChart(jobs, simulated, power)),
      paperJobsChart(jobs, simulated, batch),
      table({ label: "What each controller reached", columns: reachedColumns, rows: jobs.flatMap(({ reached }) => reached), csvName: "batchsizer-jobs", simulated }),
    ],
    batchCurves(body, simulated),
  );
};

function summary(body: JsonObject, jobs: readonly PaperJob[]) {
  const gains = jobs.flatMap(({ gain }) => (gain === null ? [] : [gain])).sort((a, b) => a - b);
  const joint = jobs.flatMap(({ reached }) => reached.filter(({ controller, share_of_best }) => controller === "joint" && share_of_best !== null).map(({ share_of_best }) => share_of_best ?? 0));
  const input = object(body, "input");
  return [
    { label: "BatchSizer over DVFS, most", value: change(gains[gains.length - 1] ?? null) },
    { label: "least", value: change(gains[0] ?? null) },
    { label: "jobs where it has more", value: `${gains.filter((gain) => gain > 0).length} of ${gains.length}` },
    { label: "joint, least share of the best", value: percent(joint.length > 0 ? Math.min(...joint) : null) },
    { label: "images a job", value: count(num(body, "images")) },
    { label: "input before the GPU", value: si(num(input, "call_seconds"), "s"), note: `a call; an image ${si(num(input, "imagenet_image_seconds"), "s")} (ImageNet), ${si(num(input, "caltech_image_seconds"), "s")} (Caltech)` },
  ];
}
