// View of ergon.simulate: cycles and energy of each layer on a systolic array.

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
  { label: "stalled", series: 1, value: ({ stalls }) => stalls },
];
const energies: readonly Part[] = [
  { label: "compute", series: 2, value: (layer) => layer.compute_joules },
  { label: "scratchpads", series: 0, value: (layer) => layer.scratchpads_joules },
  { label: "memory", series: 1, value: (layer) => layer.memory_joules },
];
const utilization: readonly Part[] = [{ label: "utilization", series: 0, value: (layer) => layer.utilization }];

const columns: readonly Column<SimulatedLayer>[] = [
  { key: "layer", label: "layer", value: (layer) => layer.index },
  { key: "name", label: "name" },
  { key: "macs", label: "MACs", format: (value) => si(value, "") },
  { key: "cycles", label: "cycles", format: (value) => count(value) },
  { key: "stall_cycles", label: "stall cycles", value: (layer) => layer.stalls, format: (value) => count(value) },
  { key: "seconds", label: "time", format: (value) => si(value, "s") },
  { key: "utilization_percent", label: "utilization", unit: "%", value: (layer) => layer.utilization },
  { key: "mapping_efficiency_percent", label: "mapping efficiency", unit: "%", value: (layer) => layer.mapping },
  { key: "memory_words", label: "memory words", value: (layer) => layer.words, format: (value) => count(value) },
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
      layerStack({ ...shared, id: "simulate-cycles", title: "Cycles by layer", parts: cycles, unit: "cycles", write: (value) => count(value) }),
      layerStack({ ...shared, id: "simulate-utilization", title: "Array utilization by layer", caption: "MACs divided by the max MACs of the array in the same cycles.", parts: utilization, unit: "% of the PEs", write: (value) => `${number(value)} %`, max: 100 }),
      layers.some((layer) => layer.total_joules !== null) &&
        layerStack({ ...shared, id: "simulate-energy", title: "Energy by layer", parts: energies, unit: "J", write: (value) => si(value, "J") }),
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
    { label: "stalled", value: all === null || stalls === null ? "unknown" : percent(stalls / all), note: `${count(stalls)} cycles` },
    { label: "time", value: si(num(totals, "seconds"), "s"), note: `at ${clock(num(body, "clock_hertz"))}` },
    { label: "utilization", value: num(totals, "utilization_percent") === null ? "unknown" : `${number(num(totals, "utilization_percent"))} %` },
    { label: "energy", value: si(num(energy, "total_joules"), "J"), note: `memory ${si(num(energy, "memory_joules"), "J")}` },
    { label: "array", value: arrayText(body), note: dataflowText(body) },
    { label: "words per cycle", value: bandwidthText(body), note: "memory bandwidth" },
    { label: "timing rules", value: text(body, "semantics") ?? "unknown" },
  ]);
}
