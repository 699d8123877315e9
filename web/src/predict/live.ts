// The live page: predict one network on one device, or tune it over several.

import { loading } from "../api/loading";
import { question } from "../api/question";
import { h } from "../base/dom";
import type { Choice } from "../base/fields";
import { choicesField, numberField, selectField, textField } from "../base/fields";
import { tabs } from "../base/tabs";
import type { LiveContext } from "../page";
import { deviceField } from "../networks/live";
import { batchField, modeField, networkFields } from "../networks/network_fields";
import { precisions, readDevices } from "../networks/roofs";
import type { ZooNetwork } from "../networks/zoo";
import { readZoo } from "../networks/zoo";
import { explorerParameters } from "./explorer";

interface Offers {
  zoo: readonly ZooNetwork[];
  devices: readonly Choice[];
}

const objectives: readonly Choice[] = [
  { value: "energy", label: "energy" }, { value: "energy-delay", label: "energy × time" }, { value: "time", label: "time" }, { value: "price", label: "price" },
];

export function predictLive(context: LiveContext): HTMLElement {
  const offered = (draw: (offers: Offers) => HTMLElement) => loading(offersOf(context), draw, "Loading networks and devices");
  return h(
    "div",
    null,
    h("p", { class: "lead" }, "What a network will cost on a device it never ran on, and which clock, batch and device cost least."),
    tabs("Parts of this page", context.parameters, [
      { name: "predict", label: "Predict", draw: () => offered((offers) => predictPart(context, offers)) },
      { name: "tune", label: "Tune", draw: () => offered((offers) => tunePart(context, offers)) },
    ]),
  );
}

async function offersOf({ client, signal }: LiveContext) {
  const [zoo, devices] = await Promise.all([client.document("/zoo", {}, signal), client.document("/devices", {}, signal)]);
  if (!zoo.ok) return zoo;
  if (!devices.ok) return devices;
  const choices = readDevices(devices.value).map(({ id, title }) => ({ value: id, label: title.replace(/^NVIDIA /, "") }));
  return { ok: true as const, value: { zoo: readZoo(zoo.value.body), devices: choices } };
}

function predictPart(context: LiveContext, { zoo, devices }: Offers): HTMLElement {
  const fields = [
    ...networkFields(zoo, "resnet50"),
    deviceField(devices),
    batchField("32"),
    modeField(),
    precisionField(),
    numberField({ name: "clock", label: "Clock", unit: "MHz", hint: "empty: the GPU's own", least: 1 }),
    numberField({ name: "limit", label: "Power limit", unit: "W", hint: "empty: the usual one", least: 1 }),
  ];
  return question({
    context, label: "Predict a network", submit: "Predict", path: "/predict", fields, forget: explorerParameters,
    parameters: (values) => ({ ...values, curves: true }),
  });
}

function tunePart(context: LiveContext, { zoo, devices }: Offers): HTMLElement {
  const fields = [
    ...networkFields(zoo, "resnet50"),
    modeField(),
    precisionField(),
    selectField({ name: "objective", label: "Least", choices: objectives }),
    textField({ name: "batches", label: "Batches", hint: "with commas; empty: 1 to 256" }),
    numberField({ name: "latency", label: "Latency at most", unit: "ms", least: 0 }),
    numberField({ name: "throughput", label: "Samples a second at least", least: 0 }),
    numberField({ name: "power", label: "Power at most", unit: "W", least: 0 }),
    numberField({ name: "price-kwh", label: "Price of a kWh", least: 0 }),
    textField({ name: "price-gpu-hour", label: "Price of a GPU hour", hint: "one, or a30=0.8,h200=3" }),
    numberField({ name: "carbon", label: "CO₂ of a kWh", hint: "grams", least: 0 }),
    choicesField({ name: "devices", label: "Devices", choices: devices, value: devices.filter(({ value }) => ["h200", "a30", "rtx2080ti", "v100"].includes(value)).map(({ value }) => value).join(",") }),
  ];
  // "device" and "batch" hold one value in the other part of the page: lists go by names of their own in the address.
  const parameters = ({ devices: chosen, batches, ...values }: Readonly<Record<string, string>>) => ({ ...values, device: chosen ?? null, batch: batches ?? null });
  return question({ context, label: "Tune a network", submit: "Tune", path: "/tune", fields, parameters });
}

function precisionField() {
  return selectField({ name: "precision", label: "Precision", choices: precisions.map((value) => ({ value, label: value })) });
}
