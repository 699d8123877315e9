// Groups of operations with distinct colors, as in the ARADA paper.

import { cssSeries, series } from "../base/palette";
import type { Colors } from "../base/palette";
import type { LegendEntry } from "../charts/legend";
import type { JsonObject } from "../documents/document";
import { num, nums } from "../documents/document";

export const kinds = ["convolution", "depthwise", "pointwise", "dense", "matrix product", "other"] as const;
export type Kind = (typeof kinds)[number];
const colorOf: Readonly<Record<Kind, number>> = { convolution: 0, depthwise: 1, pointwise: 2, dense: 3, "matrix product": 4, other: 6 };

// Names in ergon.roofline.
const arrayKinds: Readonly<Record<string, Kind>> = { conv: "convolution", dw: "depthwise", pw: "pointwise", fc: "dense" };

export function kindOfArrayLayer(word: string | null): Kind {
  return (word === null ? undefined : arrayKinds[word]) ?? "other";
}

export function kindOf(operation: string, attributes: JsonObject | null): Kind {
  if (operation === "dense") return "dense";
  if (operation === "matmul" || operation === "einsum") return "matrix product";
  if (operation.startsWith("depthwise")) return "depthwise";
  if (!operation.startsWith("conv")) return "other";
  const groups = num(attributes, "groups") ?? 1;
  if (groups > 1 && groups === num(attributes, "in_channels")) return "depthwise";
  const kernel = nums(attributes, "kernel");
  return kernel.length > 0 && kernel.every((side) => side === 1) ? "pointwise" : "convolution";
}

export function kindColor(kind: Kind, colors: Colors): string {
  return series(colorOf[kind], colors);
}

export function kindLegend(present: Iterable<Kind>): LegendEntry[] {
  const seen = new Set(present);
  return kinds.filter((kind) => seen.has(kind)).map((kind) => ({ label: kind, color: cssSeries(colorOf[kind]), sign: "dot" }));
}
