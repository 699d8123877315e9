// View of ergon.allocate.follow: an uncorrected and a corrected schedule while another process uses bandwidth.

import { barX, pointerY, text as label, tip } from "@observablehq/plot";
import { h } from "../base/dom";
import { change, count, percent, si, unknown } from "../base/format";
import { series } from "../base/palette";
import { scaleFor } from "../charts/axis_scale";
import { facts } from "../charts/facts";
import { smallMultiples } from "../charts/small_multiples";
import { num, object, text } from "../documents/document";
import type { View } from "../documents/views";
import { hardwareLine } from "./hardware";

interface Row {
  schedule: string;
  quantity: string;
  unit: string;
  value: number | null;
}

export const followView: View = ({ body, simulated }) => {
  const uncorrected = object(body, "uncorrected");
  const corrected = object(body, "corrected");
  const quantities = [["seconds", "time", "s"], ["energy_joules", "energy", "J"]] as const;
  return h(
    "section",
    null,
    h("h2", null, `${text(body, "network") ?? unknown}: schedule under shared bandwidth`),
    hardwareLine(body),
    facts([
      { label: "energy saved", value: percent(num(body, "energy_saved"), 2), note: "by correcting the schedule" },
      { label: "slowdown", value: change(num(body, "slowdown"), 2), note: "relative to the uncorrected schedule" },
      { label: "bandwidth taken", value: percent(num(body, "bandwidth_taken"), 0), note: `changes every ${count(num(body, "period_networks"))} networks` },
      { label: "runs", value: count(num(body, "runs")), note: `slack ${percent(num(body, "slack"))}` },
      { label: "layers corrected", value: count(num(corrected, "corrected_layers")) },
    ]),
    smallMultiples({
      id: "allocate-follow",
      title: "All runs: uncorrected schedule, and schedule corrected after each layer",
      simulated,
      columns: [{ key: "schedule", label: "schedule" }, { key: "quantity", label: "quantity" }, { key: "value", label: "value" }, { key: "unit", label: "unit" }],
      height: 130,
      charts: quantities.map(([key, quantity, unit]) => {
        const rows: readonly Row[] = [{ schedule: "uncorrected", quantity, unit, value: num(uncorrected, key) }, { schedule: "corrected", quantity, unit, value: num(corrected, key) }];
        return {
          id: `allocate-follow-${quantity}`,
          title: quantity,
          rows,
          draw: ({ colors }) => {
            const known = rows.filter((row) => row.value !== null);
            const scale = scaleFor(known.map((row) => row.value ?? 0), unit);
            const x = (row: Row) => (row.value ?? 0) / scale.factor;
            return {
              marginLeft: 84,
              marginRight: 64,
              x: { label: `${quantity} (${scale.unit})`, ticks: 4, grid: true },
              y: { label: null, domain: rows.map((row) => row.schedule) },
              marks: [
                barX(known, { x, y: "schedule", fill: (row: Row) => series(row.schedule === "uncorrected" ? 6 : 0, colors) }),
                label(known, { x, y: "schedule", text: (row: Row) => si(row.value, unit, 4), textAnchor: "start", dx: 5 }),
                tip(known, pointerY({ x, y: "schedule", title: (row: Row) => `${row.schedule}\n${si(row.value, unit, 5)}` })),
              ],
            };
          },
        };
      }),
    }),
  );
};
