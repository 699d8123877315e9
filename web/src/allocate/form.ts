// Form of the live page, for a systolic array or a GPU.

import type { Parameters } from "../api/client";
import { h } from "../base/dom";
import type { Field } from "../base/fields";
import { numberField, selectField, textField } from "../base/fields";
import type { Form, Values } from "../base/form";
import { form } from "../base/form";

export interface ScheduleRequest {
  path: string; // of the API
  parameters: Parameters;
}

const accelerators = ["edge-tpu", "hpc-tpu", "tpu-v1", "eyeriss-like", "custom"];
const memories = ["lpddr4", "lpddr5", "ddr3-2133", "ddr4-4000", "ddr4-4400", "ddr5-4800", "ddr5-6800", "ddr5-7800", "hbm1", "hbm2"];
const arraySchemes = ["optimal-split", "optimal", "greedy", "vf-oh-q", "vf-oh", "ideal", "rti"];
const gpuSchemes = ["optimal", "one-clock", "greedy", "vf-oh-q", "vf-oh", "ideal", "rti"];
const all = "all"; // compares all schemes

const only = (...words: readonly string[]) => words.map((value) => ({ value, label: value }));

export interface Offered {
  networks: readonly string[];
  devices: readonly { value: string; label: string }[];
}

export function allocateForm(offered: Offered, send: (request: ScheduleRequest, values: Values) => Promise<void>): Form {
  const on = selectField({ name: "on", label: "Hardware", value: "array", choices: [{ value: "array", label: "a systolic array" }, { value: "gpu", label: "a GPU (twin)" }] });
  const network = textField({ name: "network", label: "Network", value: "scalesim/MobileNet", required: true, suggestions: offered.networks, hint: "networks of the paper: scalesim/…, arada/…" });
  const ofArray: readonly Field[] = [
    selectField({ name: "accelerator", label: "Accelerator", value: "edge-tpu", choices: only(...accelerators) }),
    selectField({ name: "memory", label: "Memory", value: "lpddr4", choices: only(...memories) }),
    selectField({ name: "scheme", label: "Scheme", value: "optimal-split", choices: [...only(...arraySchemes), { value: all, label: "all (comparison)" }] }),
  ];
  const ofGpu: readonly Field[] = [
    selectField({ name: "device", label: "Device", value: "a30", choices: offered.devices }),
    numberField({ name: "batch", label: "Batch", value: "1", min: 1, step: 1 }),
    selectField({ name: "mode", label: "Mode", choices: only("inference", "training") }),
    selectField({ name: "precision", label: "Precision", choices: only("tf32", "fp32", "bf16", "fp16") }),
    selectField({ name: "gpu-scheme", label: "Scheme", value: "optimal", choices: only(...gpuSchemes) }),
  ];
  const slack = numberField({ name: "slack", label: "Slack", unit: "%", min: 0, max: 100, hint: "extra time, for greedy, one-clock and optimal" });
  const showFields = () => {
    const gpu = on.read() === "gpu";
    for (const field of ofArray) field.element.hidden = gpu;
    for (const field of ofGpu) field.element.hidden = !gpu;
  };
  const made = form({
    label: "Allocate clocks and bandwidths",
    fields: [on, network, ...ofArray, ...ofGpu, slack],
    submit: "Allocate",
    onSubmit: (values) => send(requestOf(values), shownValues(values)),
    onInput: showFields,
  });
  showFields();
  return { ...made, fill: (parameters) => (made.fill(parameters), showFields()) };
}

// Values for the selected hardware only.
export function shownValues(values: Values): Values {
  const others = values["on"] === "gpu" ? ["accelerator", "memory", "scheme"] : ["device", "batch", "mode", "precision", "gpu-scheme"];
  return Object.fromEntries(Object.entries(values).filter(([name]) => !others.includes(name)));
}

export function requestOf(values: Values): ScheduleRequest {
  const { on, network, slack, scheme, accelerator, memory, device, batch, mode, precision } = values;
  if (on === "gpu") return { path: "/allocate/gpu", parameters: { network, device, batch, mode, precision, scheme: values["gpu-scheme"], slack } };
  if (scheme === all) return { path: "/allocate/compare", parameters: { network, accelerator, memory, slack } };
  return { path: "/allocate", parameters: { network, accelerator, memory, scheme, slack } };
}

export function resultElement(): HTMLElement {
  return h("div", { "data-result": "allocate", "aria-live": "polite" });
}
