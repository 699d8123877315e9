// Reads ergon.inspect.

import type { JsonObject } from "../documents/document";
import { list, num, object, objects, text } from "../documents/document";
import type { Kind } from "./layer_kinds";
import { kindOf } from "./layer_kinds";

export interface Costs {
  params: number | null;
  macs: number | null;
  flops: number | null;
  bytes: number | null; // traffic of weights and activations
}

export interface Layer extends Costs {
  index: number; // from 1, in the order of the network
  name: string;
  type: string; // name in the framework
  operation: string; // Ergon's operation type
  kind: Kind;
  shape: string;
  intensity: number | null;
}

// Sum over all `count` operations with the same shapes.
export interface Operation extends Costs {
  name: string;
  type: string;
  kind: Kind;
  count: number;
  intensity: number | null;
}

export function layersOf(body: JsonObject): readonly Layer[] {
  return objects(body, "layers").map((layer, index) => {
    const operation = text(layer, "operation") ?? "unknown";
    return {
      index: index + 1,
      name: text(layer, "name") ?? `layer ${index + 1}`,
      type: text(layer, "type") ?? operation,
      operation,
      kind: kindOf(operation, object(layer, "attributes")),
      shape: list(layer, "output_shape").join(" × "),
      ...costsOf(layer, 1),
      intensity: num(layer, "intensity_flops_per_byte"),
    };
  });
}

export function operationsOf(body: JsonObject): readonly Operation[] {
  return objects(body, "operations").map((operation) => {
    const type = text(operation, "type") ?? "unknown";
    const count = num(operation, "count") ?? 1;
    return {
      name: `${type} ${shapes(operation)}`,
      type,
      kind: kindOf(type, object(operation, "attributes")),
      count,
      ...costsOf(operation, count),
      intensity: num(operation, "intensity_flops_per_byte"),
    };
  });
}

function costsOf(from: JsonObject, count: number): Costs {
  const times = (value: number | null) => (value === null ? null : value * count);
  return { params: times(num(from, "params")), macs: times(num(from, "macs")), flops: times(num(from, "flops")), bytes: times(bytesOf(from)) };
}

function bytesOf(from: JsonObject): number | null {
  const parts = ["weight_bytes_moved", "activation_bytes_read", "activation_bytes_written"].map((key) => num(from, key));
  return parts.every((part) => part !== null) ? parts.reduce((sum, part) => sum + part, 0) : num(from, "bytes");
}

function shapes(operation: JsonObject): string {
  const inputs = list(operation, "input_shapes").map((shape) => (Array.isArray(shape) ? shape.join("×") : String(shape)));
  const attributes = object(operation, "attributes");
  const kernel = list(attributes, "kernel").join("×");
  const outputs = num(attributes, "out_channels") ?? num(attributes, "out_features");
  return [kernel && `${kernel} kernel`, inputs.length > 0 && `of ${inputs.join(" and ")}`, outputs !== null && `to ${outputs}`].filter(Boolean).join(" ");
}
