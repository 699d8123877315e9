// Share of the variance of time and power by source: network, clock, interaction, residual.

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
  { key: "what", label: "quantity" },
  { key: "source", label: "source" },
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
    title: "Sources of the variance of time and power",
    caption: "Shares of the variance over all runs. Interaction: networks depend differently on the clock. Residual: repetitions.",
    simulated,
    columns,
    rows: shares,
    legend: sources.map((source, index) => ({ label: source, color: cssSeries(index) })),
    height: 220,
    draw: ({ colors }) => {
      const color = (share: Share) => series(sources.findIndex((source) => source === share.source), colors);
      const stacked = { x: "share", y: "what" } as const;
      return {
        marginLeft: 90,
        x: { percent: true, label: "share of the variance (%)", domain: [0, 100] },
        y: { label: null, domain: rows.map(([, what]) => what) },
        marks: [
          barX(shares, stackX({ ...stacked, fill: color, insetRight: 1 })),
          label(shares.filter((share) => share.share > 0.08), stackX({ ...stacked, text: (share: Share) => percent(share.share, 0), fill: colors.background })),
          tip(shares, pointerX(stackX({ ...stacked, title: (share: Share) => `${share.what}: ${share.source}\n${percent(share.share, 3)}` }))),
        ],
      };
    },
  });
}
