// The view of ergon.allocate.follow/1: a plan followed blindly and corrected, while a neighbour takes bandwidth.

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

interface Way {
  way: string;
  quantity: string;
  unit: string;
  value: number | null;
}

export const followView: View = ({ body, simulated }) => {
  const blind = object(body, "blind");
  const corrected = object(body, "corrected");
  const quantities = [["seconds", "time", "s"], ["energy_joules", "energy", "J"]] as const;
  return h(
    "section",
    null,
    h("h2", null, `${text(body, "network") ?? unknown}: following a plan while a neighbour takes bandwidth`),
    hardwareLine(body),
    facts([
      { label: "energy saved", value: percent(num(body, "energy_saved"), 2), note: "by correcting the plan" },
      { label: "later", value: change(num(body, "later"), 2), note: "than the plan followed blindly" },
      { label: "bandwidth taken", value: percent(num(body, "bandwidth_taken"), 0), note: `comes or goes each ${count(num(body, "period_networks"))} networks` },
      { label: "runs", value: count(num(body, "runs")), note: `slack ${percent(num(body, "slack"))}` },
      { label: "layers corrected", value: count(num(corrected, "corrected_layers")) },
    ]),
    smallMultiples({
      id: "allocate-follow",
      title: "All runs together: the plan followed blindly, and corrected after each layer",
      simulated,
      columns: [{ key: "way", label: "followed" }, { key: "quantity", label: "of" }, { key: "value", label: "value" }, { key: "unit", label: "unit" }],
      height: 130,
      charts: quantities.map(([key, quantity, unit]) => {
        const rows: readonly Way[] = [{ way: "blindly", quantity, unit, value: num(blind, key) }, { way: "corrected", quantity, unit, value: num(corrected, key) }];
        return {
          id: `allocate-follow-${quantity}`,
          title: quantity,
          rows,
          draw: ({ colours }) => {
            const known = rows.filter((row) => row.value !== null);
            const scale = scaleFor(known.map((row) => row.value ?? 0), unit);
            const x = (row: Way) => (row.value ?? 0) / scale.factor;
            return {
              marginLeft: 72,
              marginRight: 64,
              x: { label: `${quantity} (${scale.unit})`, ticks: 4, grid: true },
              y: { label: null, domain: rows.map((row) => row.way) },
              marks: [
                barX(known, { x, y: "way", fill: (row: Way) => series(row.way === "blindly" ? 6 : 0, colours) }),
                label(known, { x, y: "way", text: (row: Way) => si(row.value, unit, 4), textAnchor: "start", dx: 5 }),
                tip(known, pointerY({ x, y: "way", title: (row: Way) => `${row.way}\n${si(row.value, unit, 5)}` })),
              ],
            };
          },
        };
      }),
    }),
  );
};
