// FLOPs, memory traffic and parameters of each layer.

import { pointerX, ruleX, ruleY, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { bytes, count, si } from "../base/format";
import { scaleFor } from "../charts/axis_scale";
import { chart } from "../charts/chart";
import type { Layer } from "./inspection";
import { kindColor, kindLegend } from "./layer_kinds";

type Cost = "flops" | "bytes" | "params";

interface Along {
  id: string;
  cost: Cost;
  title: string;
  unit: string; // of the axis, with its prefix
  write: (value: number) => string;
}

const all: readonly Along[] = [
  { id: "inspect-flops-along", cost: "flops", title: "FLOPs by layer", unit: "FLOP", write: (value) => si(value, "FLOP", 4) },
  { id: "inspect-bytes-along", cost: "bytes", title: "Memory traffic by layer", unit: "B", write: (value) => bytes(value, 4) },
  { id: "inspect-params-along", cost: "params", title: "Parameters by layer", unit: "", write: (value) => count(value) },
];

export function costsByLayer(layers: readonly Layer[], simulated: boolean): HTMLElement[] {
  return all.map((along) => costByLayer(layers, simulated, along));
}

function costByLayer(layers: readonly Layer[], simulated: boolean, along: Along): HTMLElement {
  const shown = layers.filter((layer) => (layer[along.cost] ?? 0) > 0);
  const columns: readonly Column<Layer>[] = [
    { key: "layer", label: "layer", value: (layer) => layer.index },
    { key: "name", label: "name" },
    { key: "operation", label: "operation" },
    { key: along.cost, label: along.cost === "bytes" ? "memory traffic" : along.cost, format: along.write },
  ];
  return chart({
    id: along.id,
    title: along.title,
    simulated,
    columns,
    rows: layers,
    legend: kindLegend(shown.map((layer) => layer.kind)).map((entry) => ({ ...entry, sign: "line" as const })),
    height: 240,
    draw: ({ colors, narrow, width }) => {
      const scale = scaleFor(shown.map((layer) => layer[along.cost] ?? 0), along.unit);
      const amount = (layer: Layer) => (layer[along.cost] ?? 0) / scale.factor;
      const unit = scale.unit === "" ? "parameters" : along.unit === "" ? `${scale.unit} parameters` : scale.unit;
      return {
        marginLeft: 54,
        x: { label: "layer", domain: [0, layers.length + 1], ticks: narrow ? 4 : 8 },
        y: { label: unit, grid: true, ticks: 5 },
        marks: [
          ruleY([0]),
          ruleX(shown, { x: "index", y: amount, stroke: (layer: Layer) => kindColor(layer.kind, colors), strokeWidth: Math.max(1, Math.min(8, (width - 80) / layers.length - 1)) }),
          tip(shown, pointerX({ x: "index", y: amount, title: (layer: Layer) => `${layer.index}: ${layer.name}\n${layer.operation}\n${along.write(layer[along.cost] ?? 0)}` })),
        ],
      };
    },
  });
}
