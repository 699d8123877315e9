// Form that starts a cap job. The device determines the suggested cap.

import { selectField, numberField } from "../base/fields";
import { form } from "../base/form";
import { h } from "../base/dom";
import type { Choices, DeviceChoice } from "../jobs/choices";
import { deviceField, networkField } from "../jobs/form_fields";

export const controllers: readonly { value: string; label: string }[] = [
  { value: "joint", label: "joint: batch and clock" },
  { value: "batchsizer+", label: "batchsizer+: all batch sizes" },
  { value: "batchsizer", label: "batchsizer: as in the paper" },
  { value: "dvfs", label: "dvfs: clock only" },
];

export function capForm(
  offered: Choices,
  parameters: URLSearchParams,
  start: (options: Readonly<Record<string, unknown>>) => Promise<void>,
): HTMLElement {
  const device = deviceField(offered, parameters.get("device") ?? "v100");
  const chosen = () => offered.devices.find(({ id }) => id === device.read());
  const watts = numberField({ name: "watts", label: "Power cap", unit: "W", value: String(suggestedCap(chosen())), min: 1, step: 1, required: true });
  const made = form({
    label: "Hold a power cap",
    submit: "Start",
    fields: [
      networkField(offered, "resnet50"),
      device,
      watts,
      selectField({ name: "controller", label: "Controller", choices: controllers }),
      numberField({ name: "duration", label: "Duration", unit: "s", value: "60", min: 1, required: true, hint: "in real time" }),
      numberField({ name: "max-latency", label: "Max latency (p99)", unit: "ms", min: 0.1, hint: "for joint; default: none" }),
      numberField({ name: "arrivals", label: "Requests per second", min: 0.001, hint: "default: one batch after the other" }),
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

// 72 % of the max power limit: effective and feasible.
export function suggestedCap(device: DeviceChoice | undefined): number {
  return device?.max ? Math.round((device.max * 0.72) / 5) * 5 : 180;
}
