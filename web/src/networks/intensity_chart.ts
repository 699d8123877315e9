// Arithmetic intensity of operations, used if no devices are known.

import { dot, pointer, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { number, si } from "../base/format";
import { scaleFor } from "../charts/axis_scale";
import { chart } from "../charts/chart";
import { logAxis } from "../charts/log_axis";
import type { Operation } from "./inspection";
import { kindColor, kindLegend } from "./layer_kinds";

const columns: readonly Column<Operation>[] = [
  { key: "operation", label: "operation", value: (operation) => operation.name },
  { key: "count", label: "count" },
  { key: "intensity_flops_per_byte", label: "arithmetic intensity", unit: "FLOP/B", value: (operation) => operation.intensity },
  { key: "flops", label: "FLOPs", format: (value) => si(value, "") },
];

export function intensityChart(operations: readonly Operation[], simulated: boolean): HTMLElement {
  const shown = operations.filter((operation) => (operation.intensity ?? 0) > 0 && (operation.flops ?? 0) > 0);
  return chart({
    id: "inspect-intensity",
    title: "FLOPs and arithmetic intensity of the operations",
    caption: "Operations with few FLOPs per byte are memory-bound on most devices. A report that includes `ergon devices` shows rooflines here.",
    simulated,
    columns,
    rows: operations,
    legend: kindLegend(shown.map((operation) => operation.kind)),
    draw: ({ colors, narrow }) => {
      const scale = scaleFor(shown.map((operation) => operation.flops ?? 0), "FLOP");
      const amount = (operation: Operation) => (operation.flops ?? 0) / scale.factor;
      return {
        marginLeft: 56,
        x: { ...logAxis(shown.map((operation) => operation.intensity ?? 0), narrow).options, label: "arithmetic intensity (FLOP/B)" },
        y: { ...logAxis(shown.map(amount)).options, label: `FLOPs (${scale.unit})`, grid: true },
        marks: [
          dot(shown, { x: "intensity", y: amount, r: 4, fill: (operation: Operation) => kindColor(operation.kind, colors), fillOpacity: 0.7 }),
          tip(shown, pointer({ x: "intensity", y: amount, title: (operation: Operation) => `${operation.name}\n${operation.count}×\n${number(operation.intensity)} FLOP/B\n${si(operation.flops, "FLOP")}` })),
        ],
      };
    },
  });
}
