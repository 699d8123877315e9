import "./cap.css";
import type { Job } from "../api/types";
import { h } from "../base/dom";
import { emptyState } from "../base/empty_state";
import type { Choices, DeviceChoice } from "../jobs/choices";
import { choices } from "../jobs/choices";
import { examples } from "../jobs/examples";
import { jobPage } from "../jobs/job_page";
import { loading } from "../api/loading";
import type { LiveContext } from "../page";
import type { CapRange } from "./cap_control";
import { capForm } from "./cap_form";
import { liveRun } from "./live_run";

export function capLive(context: LiveContext): HTMLElement {
  return jobPage(context, {
    command: "cap",
    lead: "Hold a power cap by changing batch and clock. The cap can be changed while the job runs.",
    listTitle: "Cap runs",
    example: (run) => emptyState({
      title: "No cap run yet",
      first: [`The form contains an example: ${examples.cap}. No GPU is needed.`, "Start it, then change the power cap while it runs."],
      start: { label: "Start the example", run },
      then: "This page then shows power against the cap, batch, clock, throughput, latency and every decision while the job runs.",
    }),
    form: (offered, start) => capForm(offered, context.parameters, start),
    show: (job) => loading(choices(context), (offered) => shown(context, job, offered)),
  });
}

function shown(context: LiveContext, job: Job, offered: Choices): HTMLElement {
  const device = offered.devices.find(({ id }) => id === job.options["device"]);
  return h("div", null, liveRun(context, job, rangeOf(device), device?.simulated ?? job.simulated));
}

// Caps below the min power limit are allowed, because batch and clock reduce power further than the limit.
function rangeOf(device: DeviceChoice | undefined): CapRange {
  const max = device?.max ?? 700;
  return { min: Math.round(Math.min(device?.min ?? max, max) * 0.4), max: Math.round(max) };
}
