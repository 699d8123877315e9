// The view of ergon.simulate/1: where a systolic array spends its cycles and its energy.

import type { Column } from "../base/columns";
import { h } from "../base/dom";
import { clock, count, number, percent, si } from "../base/format";
import { facts } from "../charts/facts";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { num, object, text } from "../documents/document";
import type { View } from "../documents/views";
import type { Part } from "./layer_stack";
import { layerStack } from "./layer_stack";
import { arrayText, bandwidthText, dataflowText } from "./machine";
import type { SimulatedLayer } from "./simulation";
import { simulatedLayers } from "./simulation";

const cycles: readonly Part[] = [
  { label: "computing", series: 2, value: ({ cycles: all, stalls }) => (all === null ? null : all - (stalls ?? 0)) },
  { label: "waiting for memory", series: 1, value: ({ stalls }) => stalls },
];
const energies: readonly Part[] = [
  { label: "compute", series: 2, value: (layer) => layer.compute_joules },
  { label: "scratchpads", series: 0, value: (layer) => layer.scratchpads_joules },
  { label: "memory", series: 1, value: (layer) => layer.memory_joules },
];
const utilisation: readonly Part[] = [{ label: "utilisation", series: 0, value: (layer) => layer.utilisation }];

const columns: readonly Column<SimulatedLayer>[] = [
  { key: "layer", label: "layer", value: (layer) => layer.index },
  { key: "name", label: "name" },
  { key: "macs", label: "MACs", format: (value) => si(value, "") },
  { key: "cycles", label: "cycles", format: (value) => count(value) },
  { key: "stall_cycles", label: "stalls", value: (layer) => layer.stalls, format: (value) => count(value) },
  { key: "seconds", label: "time", format: (value) => si(value, "s") },
  { key: "utilisation_percent", label: "utilisation", unit: "%", value: (layer) => layer.utilisation },
  { key: "mapping_efficiency_percent", label: "units with work", unit: "%", value: (layer) => layer.mapping },
  { key: "memory_words", label: "words moved", value: (layer) => layer.words, format: (value) => count(value) },
  { key: "compute_joules", label: "compute", format: (value) => si(value, "J") },
  { key: "scratchpads_joules", label: "scratchpads", format: (value) => si(value, "J") },
  { key: "memory_joules", label: "memory", format: (value) => si(value, "J") },
  { key: "total_joules", label: "energy", format: (value) => si(value, "J") },
];

export const simulateView: View = ({ body, simulated }) => {
  const layers = simulatedLayers(body);
  const shared = { layers, columns, simulated };
  return h(
    "section",
    null,
    h("h2", null, `${text(body, "network") ?? "A network"} on ${text(body, "accelerator") ?? "a systolic array"}${text(body, "memory") ? ` with ${text(body, "memory")}` : ""}`),
    summary(body),
    h(
      "div",
      { class: "columns" },
      layerStack({ ...shared, id: "simulate-cycles", title: "Cycles of each layer", parts: cycles, unit: "cycles", write: (value) => count(value) }),
      layerStack({ ...shared, id: "simulate-utilisation", title: "Utilisation of the array by each layer", caption: "Multiply-accumulates done over those that all units could do in all cycles.", parts: utilisation, unit: "% of the units", write: (value) => `${number(value)} %`, most: 100 }),
      layers.some((layer) => layer.total_joules !== null) &&
        layerStack({ ...shared, id: "simulate-energy", title: "Energy of each layer", parts: energies, unit: "J", write: (value) => si(value, "J") }),
    ),
    table({ label: "Layers on the array", columns, rows: layers, csvName: "simulated-layers", simulated }),
  );
};

function summary(body: JsonObject): HTMLElement {
  const totals = object(body, "totals");
  const energy = object(totals, "energy");
  const [all, stalls] = [num(totals, "cycles"), num(totals, "stall_cycles")];
  return facts([
    { label: "cycles", value: count(all) },
    { label: "waiting for memory", value: all === null || stalls === null ? "unknown" : percent(stalls / all), note: `${count(stalls)} cycles` },
    { label: "time", value: si(num(totals, "seconds"), "s"), note: `at ${clock(num(body, "clock_hertz"))}` },
    { label: "utilisation", value: num(totals, "utilisation_percent") === null ? "unknown" : `${number(num(totals, "utilisation_percent"))} %` },
    { label: "energy", value: si(num(energy, "total_joules"), "J"), note: `memory ${si(num(energy, "memory_joules"), "J")}` },
    { label: "array", value: arrayText(body), note: dataflowText(body) },
    { label: "words a cycle", value: bandwidthText(body), note: "to or from memory" },
    { label: "timing of", value: text(body, "semantics") ?? "unknown" },
  ]);
}
