// What makes time and power differ: the network, the clock, both together, or chance.

import { barX, stackX, tip, pointerX, text as label } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { percent } from "../base/format";
import { cssSeries, series } from "../base/palette";
import { chart } from "../charts/chart";
import type { JsonObject } from "../documents/document";
import { num, object } from "../documents/document";

interface Share {
  what: string;
  source: string;
  share: number;
}

const rows: readonly (readonly [string, string])[] = [["log_time", "time (log)"], ["log_power", "power (log)"], ["time", "time"], ["power", "power"]];
const sources = ["network", "clock", "interaction", "residual"] as const;

const columns: readonly Column<Share>[] = [
  { key: "what", label: "of" },
  { key: "source", label: "due to" },
  { key: "share", label: "share", format: (value) => percent(value, 2) },
];

export function variance(evaluation: JsonObject, simulated: boolean): HTMLElement | null {
  const shares = rows.flatMap(([key, what]) =>
    sources.flatMap((source): Share[] => {
      const share = num(object(object(evaluation, "variance"), key), source);
      return share === null ? [] : [{ what, source, share }];
    }),
  );
  if (shares.length === 0) return null;
  return chart({
    id: "sweep-variance",
    title: "What the differences in time and power are due to",
    caption: "Shares of the variance over all runs: which network, which clock, networks answering differently to the clock (interaction), repetitions (residual).",
    simulated,
    columns,
    rows: shares,
    legend: sources.map((source, index) => ({ label: source, colour: cssSeries(index) })),
    height: 220,
    draw: ({ colours }) => {
      const colour = (share: Share) => series(sources.findIndex((source) => source === share.source), colours);
      const stacked = { x: "share", y: "what" } as const;
      return {
        marginLeft: 90,
        x: { percent: true, label: "share of the variance (%)", domain: [0, 100] },
        y: { label: null, domain: rows.map(([, what]) => what) },
        marks: [
          barX(shares, stackX({ ...stacked, fill: colour, insetRight: 1 })),
          label(shares.filter((share) => share.share > 0.08), stackX({ ...stacked, text: (share: Share) => percent(share.share, 0), fill: colours.background })),
          tip(shares, pointerX(stackX({ ...stacked, title: (share: Share) => `${share.what}: ${share.source}\n${percent(share.share, 3)}` }))),
        ],
      };
    },
  });
}
