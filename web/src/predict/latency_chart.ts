// Change of the energy per sample with the latency.

import { barY, pointerX, ruleY, text as label, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { change, si } from "../base/format";
import { chart } from "../charts/chart";
import { pointText } from "./point_columns";
import type { LatencyStep } from "./tuning";

const columns: readonly Column<LatencyStep>[] = [
  { key: "latency_change", label: "latency change", value: (step) => step.change, format: (value) => change(value, 0) },
  { key: "energy_saving", label: "energy saved", value: (step) => step.saving, format: (value) => change(value) },
  { key: "energy_per_sample_joules", label: "energy per sample", value: (step) => step.point?.energy, format: (value) => si(value, "J") },
  { key: "time_seconds", label: "latency", value: (step) => step.point?.time, format: (value) => si(value, "s") },
  { key: "operating_point", label: "operating point", value: (step) => (step.point ? pointText(step.point) : null) },
];

export function latencyChart(steps: readonly LatencyStep[], simulated: boolean): HTMLElement | null {
  if (steps.length === 0) return null;
  const name = (step: LatencyStep) => change(step.change, 0).replace(/\s*%$/, "");
  const energy = (step: LatencyStep) => -100 * (step.saving ?? 0);
  return chart({
    id: "tune-latency",
    title: "Energy by latency change",
    caption: "Relative to the choice. A question mark means that no operating point is that fast.",
    simulated,
    columns,
    rows: steps,
    height: 260,
    draw: ({ colors, narrow }) => ({
      marginLeft: 54,
      marginTop: 26,
      x: { label: "latency relative to the choice (%)", domain: steps.map(name) },
      y: { label: "energy per sample relative to the choice (%)", grid: true, nice: true, ...(steps.every((step) => energy(step) === 0) ? { domain: [-1, 1] } : {}) },
      marks: [
        ruleY([0]),
        barY(steps, { x: name, y: energy, fill: (step: LatencyStep) => ((step.saving ?? 0) < 0 ? colors.bad : colors.good) }),
        label(steps, { x: name, y: (step: LatencyStep) => Math.max(0, energy(step)), dy: -8, text: (step: LatencyStep) => (step.saving === null ? "?" : step.saving === 0 ? "0" : narrow ? change(-step.saving).replace(/\s*%$/, "") : change(-step.saving)), fill: colors.text }),
        tip(steps, pointerX({ x: name, y: energy, title: (step: LatencyStep) => `latency ${name(step)} %\n${step.point ? `${pointText(step.point)}\n${si(step.point.energy, "J")} per sample` : "no operating point"}` })),
      ],
    }),
  });
}
