// The form that starts a run under a cap. Its device suggests the cap.

import { selectField, numberField } from "../base/fields";
import { form } from "../base/form";
import { h } from "../base/dom";
import type { Choices, DeviceChoice } from "../jobs/choices";
import { deviceField, networkField } from "../jobs/form_fields";

export const controllers: readonly { value: string; label: string }[] = [
  { value: "joint", label: "joint: batch and clock" },
  { value: "batchsizer+", label: "batchsizer+: any batch" },
  { value: "batchsizer", label: "batchsizer: as in the paper" },
  { value: "dvfs", label: "dvfs: the clock only" },
];

export function capForm(
  offered: Choices,
  parameters: URLSearchParams,
  start: (options: Readonly<Record<string, unknown>>) => Promise<void>,
): HTMLElement {
  const device = deviceField(offered, parameters.get("device") ?? "v100");
  const chosen = () => offered.devices.find(({ id }) => id === device.read());
  const watts = numberField({ name: "watts", label: "Cap", unit: "W", value: String(suggestedCap(chosen())), least: 1, step: 1, required: true });
  const made = form({
    label: "Hold a power cap",
    submit: "Start",
    fields: [
      networkField(offered, "resnet50"),
      device,
      watts,
      selectField({ name: "controller", label: "Controller", choices: controllers }),
      numberField({ name: "duration", label: "Duration", unit: "s", value: "60", least: 1, required: true, hint: "as long by the clock on the wall" }),
      numberField({ name: "latency", label: "Latency bound", unit: "ms", least: 0.1, hint: "99th percentile, for joint; empty: none" }),
      numberField({ name: "arrivals", label: "Requests a second", least: 0.001, hint: "empty: one batch after the other" }),
    ],
    onSubmit: (values) => {
      const { arrivals, watts: cap, ...rest } = values;
      return start({ ...rest, watts: parseFloat(cap ?? ""), ...(arrivals === undefined ? {} : { arrivals: `poisson:${arrivals}` }) });
    },
  });
  made.fill(parameters);
  device.element.addEventListener("change", () => watts.write(String(suggestedCap(chosen()))));
  return h("div", null, made.element);
}

// Low enough to matter, high enough to be held.
export function suggestedCap(device: DeviceChoice | undefined): number {
  return device?.most ? Math.round((device.most * 0.72) / 5) * 5 : 180;
}
