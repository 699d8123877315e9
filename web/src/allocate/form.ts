// The form of the live page: an array or a GPU, and what to ask of it.

import type { Parameters } from "../api/client";
import { h } from "../base/dom";
import type { Field } from "../base/fields";
import { numberField, selectField, textField } from "../base/fields";
import type { Form, Values } from "../base/form";
import { form } from "../base/form";

export interface Question {
  path: string; // of the API
  parameters: Parameters;
}

const accelerators = ["edge-tpu", "hpc-tpu", "tpu-v1", "eyeriss-like", "custom"];
const memories = ["lpddr4", "lpddr5", "ddr3-2133", "ddr4-4000", "ddr4-4400", "ddr5-4800", "ddr5-6800", "ddr5-7800", "hbm1", "hbm2"];
const arraySchemes = ["optimal-split", "optimal", "greedy", "vf-oh-q", "vf-oh", "ideal", "rti"];
const gpuSchemes = ["optimal", "one-clock", "greedy", "vf-oh-q", "vf-oh", "ideal", "rti"];
const all = "all"; // schemes: the comparison

const only = (...words: readonly string[]) => words.map((value) => ({ value, label: value }));

export interface Offered {
  networks: readonly string[];
  devices: readonly { value: string; label: string }[];
}

export function allocateForm(offered: Offered, ask: (question: Question, values: Values) => Promise<void>): Form {
  const on = selectField({ name: "on", label: "On", value: "array", choices: [{ value: "array", label: "a systolic array" }, { value: "gpu", label: "a GPU (its twin)" }] });
  const network = textField({ name: "network", label: "Network", value: "scalesim/MobileNet", required: true, suggestions: offered.networks, hint: "scalesim/… and arada/… are the paper's" });
  const ofArray: readonly Field[] = [
    selectField({ name: "accelerator", label: "Accelerator", value: "edge-tpu", choices: only(...accelerators) }),
    selectField({ name: "memory", label: "Memory", value: "lpddr4", choices: only(...memories) }),
    selectField({ name: "scheme", label: "Scheme", value: "optimal-split", choices: [...only(...arraySchemes), { value: all, label: "all, side by side" }] }),
  ];
  const ofGpu: readonly Field[] = [
    selectField({ name: "device", label: "Device", value: "a30", choices: offered.devices }),
    numberField({ name: "batch", label: "Batch", value: "1", least: 1, step: 1 }),
    selectField({ name: "mode", label: "Mode", choices: only("inference", "training") }),
    selectField({ name: "precision", label: "Precision", choices: only("tf32", "fp32", "bf16", "fp16") }),
    selectField({ name: "gpu-scheme", label: "Scheme", value: "optimal", choices: only(...gpuSchemes) }),
  ];
  const slack = numberField({ name: "slack", label: "Time beyond full speed's", unit: "%", least: 0, most: 100, hint: "for greedy, one-clock and optimal; empty: the usual" });
  const choose = () => {
    const gpu = on.read() === "gpu";
    for (const field of ofArray) field.element.hidden = gpu;
    for (const field of ofGpu) field.element.hidden = !gpu;
  };
  const made = form({
    label: "Allocate clocks and bandwidths",
    fields: [on, network, ...ofArray, ...ofGpu, slack],
    submit: "Allocate",
    onSubmit: (values) => ask(questionOf(values), shownValues(values)),
    onInput: choose,
  });
  choose();
  return { ...made, fill: (parameters) => (made.fill(parameters), choose()) };
}

// Only what belongs to the chosen hardware is asked and kept in the address.
export function shownValues(values: Values): Values {
  const others = values["on"] === "gpu" ? ["accelerator", "memory", "scheme"] : ["device", "batch", "mode", "precision", "gpu-scheme"];
  return Object.fromEntries(Object.entries(values).filter(([name]) => !others.includes(name)));
}

export function questionOf(values: Values): Question {
  const { on, network, slack, scheme, accelerator, memory, device, batch, mode, precision } = values;
  if (on === "gpu") return { path: "/allocate/gpu", parameters: { network, device, batch, mode, precision, scheme: values["gpu-scheme"], slack } };
  if (scheme === all) return { path: "/allocate/compare", parameters: { network, accelerator, memory, slack } };
  return { path: "/allocate", parameters: { network, accelerator, memory, scheme, slack } };
}

export function waitingPlace(): HTMLElement {
  return h("div", { "data-answer": "allocate", "aria-live": "polite" });
}
