// View of ergon.inspect: layers, operations and costs of a network.

import { h } from "../base/dom";
import { bytes, count, number, si } from "../base/format";
import { facts } from "../charts/facts";
import type { JsonObject } from "../documents/document";
import { list, num, object, objects, text } from "../documents/document";
import type { View } from "../documents/views";
import { costByType } from "./cost_by_type";
import { costsByLayer } from "./cost_by_layer";
import { inspectRoofline } from "./inspect_roofline";
import { layersOf, operationsOf } from "./inspection";
import { layersTable } from "./layers_table";

export const inspectView: View = ({ body, simulated }, context) => {
  const layers = layersOf(body);
  const operations = operationsOf(body);
  const batch = num(body, "batch");
  return h(
    "section",
    null,
    h("h2", null, `${text(body, "network") ?? "A network"}, ${text(body, "mode") ?? "inference"}, batch ${count(batch)}`),
    summary(body),
    unknownOperations(body),
    costByType(operations, simulated),
    inspectRoofline(operations, simulated, context),
    h("div", { class: "columns" }, costsByLayer(layers, simulated)),
    h("h2", null, "Layers"),
    layersTable(layers, simulated),
  );
};

function summary(body: JsonObject): HTMLElement {
  const totals = object(body, "totals");
  const inputs = objects(body, "inputs").map((input) => list(input, "shape").join(" × ")).join(", ");
  return facts([
    { label: "parameters", value: si(num(totals, "params"), ""), note: bytes(num(totals, "weight_bytes")) },
    { label: "MACs", value: si(num(totals, "macs"), ""), note: "per iteration" },
    { label: "FLOPs", value: si(num(totals, "flops"), ""), note: "per iteration" },
    { label: "activation traffic", value: bytes(num(totals, "activation_bytes")), note: "read and written" },
    { label: "arithmetic intensity", value: number(num(totals, "intensity_flops_per_byte")), note: "FLOP/B" },
    { label: "layers", value: count(num(totals, "layers")) },
    ...(inputs === "" ? [] : [{ label: "input shape", value: inputs }]),
    { label: "family", value: text(body, "family") ?? "unknown" },
  ]);
}

function unknownOperations(body: JsonObject): HTMLElement | null {
  const found = objects(body, "unknown_operations");
  if (found.length === 0) return null;
  const names = found.map((entry) => `${text(entry, "operation") ?? "unknown"} (${count(num(entry, "count"))})`).join(", ");
  return h("p", { class: "problem" }, `Not included, because their cost is unknown: ${names}.`);
}
