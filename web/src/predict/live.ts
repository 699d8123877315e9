// The live page: predict a network on a device, or tune it over several devices.

import { loading } from "../api/loading";
import { queryForm } from "../api/query_form";
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
  { value: "energy", label: "energy" }, { value: "energy-delay", label: "energy-delay product" }, { value: "time", label: "time" }, { value: "price", label: "price" },
];

export function predictLive(context: LiveContext): HTMLElement {
  const offered = (draw: (offers: Offers) => HTMLElement) => loading(offersOf(context), draw, "Loading networks and devices");
  return h(
    "div",
    null,
    h("p", { class: "lead" }, "Predict time, power and energy of a network without running it, and find the best clock, batch and device."),
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
    numberField({ name: "clock", label: "Clock", unit: "MHz", hint: "default: unlocked", min: 1 }),
    numberField({ name: "power-limit", label: "Power limit", unit: "W", hint: "default: the board's", min: 1 }),
  ];
  return queryForm({
    context, label: "Predict a network", submit: "Predict", path: "/predict", fields, forget: explorerParameters,
    parameters: (values) => ({ ...values, curves: true }),
  });
}

function tunePart(context: LiveContext, { zoo, devices }: Offers): HTMLElement {
  const fields = [
    ...networkFields(zoo, "resnet50"),
    modeField(),
    precisionField(),
    selectField({ name: "objective", label: "Minimize", choices: objectives }),
    textField({ name: "batches", label: "Batches", hint: "separated by commas; default: 1 to 256" }),
    numberField({ name: "max-latency", label: "Max latency", unit: "ms", min: 0 }),
    numberField({ name: "min-throughput", label: "Min samples per second", min: 0 }),
    numberField({ name: "max-power", label: "Max power", unit: "W", min: 0 }),
    numberField({ name: "price-kwh", label: "Price per kWh", min: 0 }),
    textField({ name: "price-gpu-hour", label: "Price per GPU hour", hint: "a number, or a30=0.8,h200=3" }),
    numberField({ name: "carbon", label: "CO₂ per kWh", hint: "grams", min: 0 }),
    choicesField({ name: "devices", label: "Devices", choices: devices, value: devices.filter(({ value }) => ["h200", "a30", "rtx2080ti", "v100"].includes(value)).map(({ value }) => value).join(",") }),
  ];
  // In the address, "device" and "batch" are single values of the Predict tab; the lists have other names.
  const parameters = ({ devices: chosen, batches, ...values }: Readonly<Record<string, string>>) => ({ ...values, device: chosen ?? null, batch: batches ?? null });
  return queryForm({ context, label: "Tune a network", submit: "Tune", path: "/tune", fields, parameters });
}

function precisionField() {
  return selectField({ name: "precision", label: "Precision", choices: precisions.map((value) => ({ value, label: value })) });
}
