// View of ergon.roofline: layers on a systolic array, as figure 3 of the ARADA paper.

import { h } from "../base/dom";
import { clock, count, number, si } from "../base/format";
import { facts } from "../charts/facts";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { num, objects, text } from "../documents/document";
import type { View } from "../documents/views";
import { boundCounts } from "./bound_counts";
import { kindOfArrayLayer } from "./layer_kinds";
import { arrayText, dataflowText } from "./machine";
import type { RoofPicture } from "./roofline_multiples";
import { rooflines } from "./roofline_multiples";
import type { Spot } from "./roofline_picture";

export const rooflineView: View = ({ body, simulated }) => {
  const roofs = objects(body, "roofs");
  const pictures = roofs.flatMap(pictureOf);
  const layers = pictures[0]?.spots.length ?? null;
  return h(
    "section",
    null,
    h("h2", null, `${text(body, "network") ?? "A network"} on ${text(body, "accelerator") ?? "a systolic array"}: rooflines`),
    facts([
      { label: "array", value: arrayText(body), note: dataflowText(body) },
      { label: "layers", value: count(layers) },
      { label: "roofs", value: count(pictures.length) },
      { label: "memory-bound", value: range(pictures, layers) },
    ]),
    boundCounts({ id: "roofline-bounds", what: "layers", simulated, pictures }),
    rooflines({
      id: "roofline",
      title: "Rooflines of the array",
      caption: "Arithmetic intensity counts every word once. Dots are attained rates; thin lines end at the attainable rate.",
      simulated,
      pictures,
    }),
    table({
      label: "Roofs", rows: roofs, csvName: "roofs", simulated,
      columns: [
        { key: "peak_operations_per_second", label: "peak", format: (value) => si(value, "op/s") },
        { key: "clock_hertz", label: "clock", format: (value) => clock(value) },
        { key: "bandwidth_bytes_per_second", label: "bandwidth", format: (value) => si(value, "B/s") },
        { key: "ridge_operations_per_byte", label: "ridge point", unit: "op/B", format: (value) => number(value) },
        { key: "memory_bound", label: "memory-bound layers", value: (roof) => boundBy(roof, "memory") },
        { key: "compute_bound", label: "compute-bound layers", value: (roof) => boundBy(roof, "compute") },
      ],
    }),
  );
};

function pictureOf(roof: JsonObject): RoofPicture[] {
  const peak = num(roof, "peak_operations_per_second");
  const bandwidth = num(roof, "bandwidth_bytes_per_second");
  if (peak === null || bandwidth === null) return [];
  const layers = objects(roof, "layers");
  const seconds = layers.map((layer) => (num(layer, "operations") ?? 0) / (num(layer, "attained_operations_per_second") ?? Infinity));
  const total = seconds.reduce((sum, value) => sum + value, 0);
  const spots = layers.flatMap((layer, index): Spot[] => {
    const intensity = num(layer, "operations_per_byte");
    const attainable = num(layer, "attainable_operations_per_second");
    if (intensity === null || intensity <= 0 || attainable === null) return [];
    return [{
      name: text(layer, "name") ?? `layer ${index + 1}`,
      kind: kindOfArrayLayer(text(layer, "kind")),
      intensity, attainable,
      attained: num(layer, "attained_operations_per_second"),
      bound: text(layer, "bound") === "memory" ? "memory" : "compute",
      size: total === 0 ? 0 : (seconds[index] ?? 0) / total,
    }];
  });
  return [{ id: `${number(peak / 1e12, 4)}-${number(bandwidth / 1e9, 4)}`, title: `${si(peak, "op/s")} and ${si(bandwidth, "B/s")}`, roof: { peak, bandwidth }, spots }];
}

function boundBy(roof: JsonObject, bound: string): number {
  return objects(roof, "layers").filter((layer) => text(layer, "bound") === bound).length;
}

function range(pictures: readonly RoofPicture[], layers: number | null): string {
  const counts = pictures.map(({ spots }) => spots.filter((spot) => spot.bound === "memory").length);
  if (counts.length === 0) return "unknown";
  const [min, max] = [Math.min(...counts), Math.max(...counts)];
  return `${min === max ? min : `${min} to ${max}`} of ${count(layers)} layers`;
}
