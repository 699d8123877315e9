// Intensity without a machine: where no document tells of devices.

import { dot, pointer, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { number, si } from "../base/format";
import { scaleFor } from "../charts/axis_scale";
import { chart } from "../charts/chart";
import { logAxis } from "../charts/log_axis";
import type { Operation } from "./inspection";
import { kindColour, kindLegend } from "./layer_kinds";

const columns: readonly Column<Operation>[] = [
  { key: "operation", label: "operation", value: (operation) => operation.name },
  { key: "count", label: "count" },
  { key: "intensity_flops_per_byte", label: "intensity", unit: "FLOP/B", value: (operation) => operation.intensity },
  { key: "flops", label: "FLOPs", format: (value) => si(value, "") },
];

export function intensityChart(operations: readonly Operation[], simulated: boolean): HTMLElement {
  const shown = operations.filter((operation) => (operation.intensity ?? 0) > 0 && (operation.flops ?? 0) > 0);
  return chart({
    id: "inspect-intensity",
    title: "Arithmetic and intensity of the operations",
    caption: "An operation with few FLOPs per byte waits for memory on most machines. A report that also holds the devices (ergon devices) shows their roofs here.",
    simulated,
    columns,
    rows: operations,
    legend: kindLegend(shown.map((operation) => operation.kind)),
    draw: ({ colours, narrow }) => {
      const scale = scaleFor(shown.map((operation) => operation.flops ?? 0), "FLOP");
      const amount = (operation: Operation) => (operation.flops ?? 0) / scale.factor;
      return {
        marginLeft: 56,
        x: { ...logAxis(shown.map((operation) => operation.intensity ?? 0), narrow).options, label: "intensity (FLOP/B)" },
        y: { ...logAxis(shown.map(amount)).options, label: `arithmetic (${scale.unit})`, grid: true },
        marks: [
          dot(shown, { x: "intensity", y: amount, r: 4, fill: (operation: Operation) => kindColour(operation.kind, colours), fillOpacity: 0.7 }),
          tip(shown, pointer({ x: "intensity", y: amount, title: (operation: Operation) => `${operation.name}\n${operation.count} times\n${number(operation.intensity)} FLOP/B\n${si(operation.flops, "FLOP")}` })),
        ],
      };
    },
  });
}
