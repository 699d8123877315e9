// Energy of one network over the clock, inference and training, as figure 5.17 of the thesis.

import { dot, lineY, pointer, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { h } from "../base/dom";
import { selectField } from "../base/fields";
import { clock, si } from "../base/format";
import { updateParameters } from "../base/address_parameters";
import { cssSeries, series } from "../base/palette";
import { scaleFor } from "../charts/axis_scale";
import { chart, refresh } from "../charts/chart";
import type { ViewContext } from "../documents/views";
import type { ClockPoint } from "./thesis_clocks";

const modes = ["inference", "training"] as const;

const columns: readonly Column<ClockPoint>[] = [
  { key: "network", label: "network" },
  { key: "mode", label: "mode" },
  { key: "clock_hertz", label: "clock", value: (point) => point.clock, format: (value) => clock(value) },
  { key: "energy_joules", label: "energy", value: (point) => point.energy, format: (value) => si(value, "J") },
];

export function thesisU(points: readonly ClockPoint[], simulated: boolean, context: ViewContext): HTMLElement | null {
  const networks = [...new Set(points.map((point) => point.network))];
  if (networks.length === 0) return null;
  const network = selectField({ name: "thesis-network", label: "Network", choices: networks.map((value) => ({ value, label: value })) });
  const stored = context.parameters.get("thesis-network");
  if (stored !== null && networks.includes(stored)) network.write(stored);
  const rows = () => points.filter((point) => point.network === network.read() && point.energy !== null);
  const figure = chart({
    id: "thesis-u",
    title: "Energy of one network over the clock",
    caption: "Figure 5.17: the energy has a minimum at a medium clock.",
    simulated,
    columns,
    rows,
    legend: modes.map((label, index) => ({ label, color: cssSeries(index), sign: "line" as const })),
    draw: ({ colors, narrow }) => {
      const shown = rows();
      const scale = scaleFor(shown.map((point) => point.energy ?? 0), "J");
      const place = { x: (point: ClockPoint) => point.clock / 1e6, y: (point: ClockPoint) => (point.energy ?? NaN) / scale.factor };
      const color = (point: ClockPoint) => series(modes.findIndex((mode) => mode === point.mode), colors);
      return {
        marginLeft: 54,
        x: { label: "clock (MHz)", ticks: narrow ? 4 : 8 },
        y: { label: `energy per iteration (${scale.unit})`, zero: true, grid: true },
        marks: [
          lineY(shown, { ...place, z: "mode", stroke: color, strokeWidth: 2 }),
          dot(shown, { ...place, fill: color, r: 4 }),
          tip(shown, pointer({ ...place, title: (point: ClockPoint) => `${point.network}, ${point.mode}\n${clock(point.clock)}\n${si(point.energy, "J", 4)}` })),
        ],
      };
    },
  });
  network.element.addEventListener("input", () => {
    updateParameters({ "thesis-network": network.read() }, context.signal);
    refresh(figure);
  });
  return h("div", null, h("div", { class: "form" }, network.element), figure);
}
