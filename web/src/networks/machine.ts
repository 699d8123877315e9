// Text of a systolic array's parameters.

import { count, unknown } from "../base/format";
import type { JsonObject } from "../documents/document";
import { num, object, text } from "../documents/document";

const dataflows: Readonly<Record<string, string>> = { os: "output stationary", ws: "weight stationary", is: "input stationary" };

export function machineText(from: JsonObject): string {
  return `${arrayText(from)}, ${dataflowText(from)}`;
}

export function arrayText(from: JsonObject): string {
  const machine = object(from, "machine");
  return `${count(num(machine, "rows"))} × ${count(num(machine, "columns"))}`;
}

export function dataflowText(from: JsonObject): string {
  const dataflow = text(object(from, "machine"), "dataflow");
  return dataflow === null ? unknown : (dataflows[dataflow] ?? dataflow);
}

// Words per cycle.
export function bandwidthText(from: JsonObject): string {
  const bandwidth = object(from, "bandwidth");
  const mode = text(bandwidth, "mode");
  if (mode === "calculated") return "unlimited";
  const words = object(bandwidth, "words_per_cycle");
  const each = ["ifmap", "filter", "ofmap"].map((part) => num(words, part));
  const one = num(bandwidth, "words_per_cycle");
  if (one !== null) return count(one);
  if (each.every((value) => value === each[0])) return `${count(each[0])} each`;
  return each.map((value) => count(value)).join(" / ");
}
