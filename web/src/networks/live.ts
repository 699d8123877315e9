// The live page: inspect any network of the zoo.

import { queryForm } from "../api/query_form";
import { h } from "../base/dom";
import type { Choice, Field } from "../base/fields";
import { numberField, selectField, textField } from "../base/fields";
import { loading } from "../api/loading";
import { tabs } from "../base/tabs";
import { drawDocument } from "../documents/views";
import type { LiveContext } from "../page";
import { batchField, modeField, networkFields } from "./network_fields";
import { precisions, readDevices } from "./roofs";
import type { ZooNetwork } from "./zoo";
import { readZoo } from "./zoo";

const accelerators = ["edge-tpu", "tpu-v1", "hpc-tpu", "eyeriss-like", "custom"];
const memories = ["ddr3-2133", "ddr4-4000", "ddr4-4400", "ddr5-4800", "ddr5-6800", "ddr5-7800", "hbm1", "hbm2", "lpddr4", "lpddr5"];
// Values of figure 3 of the ARADA paper.
const paper = { network: "arada/EfficientNetB0", tops: "0.4,4", bandwidths: "29,71,122" };

export function networksLive(context: LiveContext): HTMLElement {
  const { client, signal, parameters } = context;
  const withZoo = (draw: (zoo: readonly ZooNetwork[]) => HTMLElement) =>
    loading(client.document("/zoo", {}, signal), (document) => draw(readZoo(document.body)), "Loading the networks");
  return h(
    "div",
    null,
    h("p", { class: "lead" }, "Layers, operations and costs of a network, and whether it is compute-bound or memory-bound."),
    tabs("Parts of this page", parameters, [
      { name: "layers", label: "Layers and cost", draw: () => withZoo((zoo) => layersPart(context, zoo)) },
      { name: "roofline", label: "Array rooflines", draw: () => withZoo((zoo) => rooflinePart(context, zoo)) },
      { name: "simulate", label: "Array simulation", draw: () => withZoo((zoo) => simulatePart(context, zoo)) },
      { name: "estimate", label: "Twin estimate", draw: () => withZoo((zoo) => estimatePart(context, zoo)) },
      { name: "zoo", label: "All networks", draw: () => loading(client.document("/zoo", {}, signal), (document) => drawDocument(document, context)) },
    ]),
  );
}

function layersPart(context: LiveContext, zoo: readonly ZooNetwork[]): HTMLElement {
  const fields = [...networkFields(zoo, "resnet50"), batchField("32"), modeField()];
  return queryForm({ context, label: "Inspect a network", submit: "Inspect", path: "/inspect", fields });
}

function rooflinePart(context: LiveContext, zoo: readonly ZooNetwork[]): HTMLElement {
  const fields = [
    ...networkFields(zoo, paper.network),
    acceleratorField(),
    memoryField([{ value: "", label: "use the bandwidths" }]),
    textField({ name: "tops", label: "Peak rates", value: paper.tops, hint: "TOPS, separated by commas" }),
    textField({ name: "bandwidths", label: "Bandwidths", value: paper.bandwidths, hint: "GB/s, separated by commas" }),
  ];
  // A memory defines the bandwidth.
  const parameters = (values: Readonly<Record<string, string>>) => ({ ...values, sequence: null, bandwidths: values["memory"] ? null : (values["bandwidths"] ?? null) });
  return queryForm({ context, label: "Rooflines of a systolic array", submit: "Draw rooflines", path: "/roofline", fields, parameters });
}

function simulatePart(context: LiveContext, zoo: readonly ZooNetwork[]): HTMLElement {
  const fields = [
    ...networkFields(zoo, paper.network),
    acceleratorField(),
    memoryField([{ value: "", label: "default" }]),
    textField({ name: "array", label: "Array", hint: "ROWSxCOLS, for example 32x32; default: the accelerator's" }),
    selectField({ name: "dataflow", label: "Dataflow", choices: [{ value: "", label: "default" }, { value: "os", label: "output stationary" }, { value: "ws", label: "weight stationary" }, { value: "is", label: "input stationary" }] }),
    textField({ name: "bandwidth", label: "Bandwidth", hint: "words per cycle, or a rate such as 28GB/s; default: the memory's" }),
  ];
  const parameters = (values: Readonly<Record<string, string>>) => ({ ...values, sequence: null });
  return queryForm({ context, label: "Simulate a systolic array", submit: "Simulate", path: "/simulate", fields, parameters });
}

function estimatePart(context: LiveContext, zoo: readonly ZooNetwork[]): HTMLElement {
  return loading(context.client.document("/devices", {}, context.signal), (document) => {
    const fields = [
      ...networkFields(zoo, "resnet50"),
      deviceField(readDevices(document).map(({ id, title }) => ({ value: id, label: title.replace(/^NVIDIA /, "") }))),
      batchField("32"),
      modeField(),
      selectField({ name: "precision", label: "Precision", choices: precisions.map((value) => ({ value, label: value })) }),
      numberField({ name: "clock", label: "Clock", unit: "MHz", hint: "default: the highest", min: 1 }),
      numberField({ name: "power-limit", label: "Power limit", unit: "W", hint: "default: the board's", min: 1 }),
    ];
    return queryForm({ context, label: "Estimate with a twin", submit: "Estimate", path: "/estimate", fields });
  });
}

export function deviceField(choices: readonly Choice[]): Field {
  return selectField({ name: "device", label: "Device", choices, value: choices.some(({ value }) => value === "h200") ? "h200" : (choices[0]?.value ?? "") });
}

function acceleratorField(): Field {
  return selectField({ name: "accelerator", label: "Accelerator", choices: accelerators.map((value) => ({ value, label: value })) });
}

function memoryField(first: readonly Choice[]): Field {
  return selectField({ name: "memory", label: "Memory", choices: [...first, ...memories.map((value) => ({ value, label: value }))] });
}
