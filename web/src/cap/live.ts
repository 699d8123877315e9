import "./cap.css";
import type { Job } from "../api/types";
import { h } from "../base/dom";
import type { Choices, DeviceChoice } from "../jobs/choices";
import { choices } from "../jobs/choices";
import { jobDesk } from "../jobs/desk";
import { loading } from "../api/loading";
import type { LiveContext } from "../page";
import type { CapRange } from "./cap_control";
import { capForm } from "./cap_form";
import { liveRun } from "./live_run";

export function capLive(context: LiveContext): HTMLElement {
  return jobDesk(context, {
    command: "cap",
    lead: "Can the device keep below a power cap, and how much work does it still do? Start a run, watch it, and change the cap while it runs.",
    listTitle: "Runs under a cap",
    empty: "No run yet.",
    form: (offered, start) => capForm(offered, context.parameters, start),
    show: (job) => loading(choices(context), (offered) => shown(context, job, offered)),
  });
}

function shown(context: LiveContext, job: Job, offered: Choices): HTMLElement {
  const device = offered.devices.find(({ id }) => id === job.options["device"]);
  return h("div", null, liveRun(context, job, rangeOf(device), device?.simulated ?? job.simulated));
}

// Caps below the least power limit make sense too: batch and clock can go lower than a limit can be set.
function rangeOf(device: DeviceChoice | undefined): CapRange {
  const most = device?.most ?? 700;
  return { least: Math.round(Math.min(device?.least ?? most, most) * 0.4), most: Math.round(most) };
}
