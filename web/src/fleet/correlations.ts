// Correlation of metrics with the task duration: over all GPUs, and within groups of GPUs.

import { dot, link, pointer, ruleX, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { number } from "../base/format";
import { cssColor, cssSeries, series } from "../base/palette";
import { chart } from "../charts/chart";
import type { JsonObject } from "../documents/document";
import { num, nums, object } from "../documents/document";
import { metrics, populationName } from "./analysis";

interface Correlation {
  metric: string;
  over: string;
  sign: "pooled" | "both" | "one";
  r: number | null;
  low: number | null;
  high: number | null;
}

const columns: readonly Column<Correlation>[] = [
  { key: "metric", label: "metric" },
  { key: "over", label: "over" },
  { key: "r", label: "r" },
  { key: "low", label: "low" },
  { key: "high", label: "high" },
];

export function fleetCorrelations(analysis: JsonObject, simulated: boolean): HTMLElement | null {
  const found = object(object(analysis, "gpus"), "correlations");
  const rows = metrics.flatMap(({ name }) => correlationsOf(name, object(found, name)));
  const known = rows.filter((row) => row.r !== null);
  if (known.length === 0) return null;
  return chart({
    id: "fleet-correlations",
    title: "Correlation with the task duration, over all GPUs and within groups",
    caption: "A correlation over all GPUs that vanishes within groups is a difference between the groups, not a cause of slow tasks.",
    simulated,
    columns,
    rows,
    legend: [
      { label: "over all GPUs, 95 % interval", color: cssSeries(1), sign: "dot" },
      { label: "within groups (group means removed)", color: cssSeries(0), sign: "dot" },
      { label: "within one group", color: cssColor("muted"), sign: "dot" },
    ],
    height: 60 + metrics.length * 44,
    draw: ({ narrow, colors }) => {
      const color = ({ sign }: Correlation) => (sign === "pooled" ? series(1, colors) : sign === "both" ? series(0, colors) : colors.muted);
      return {
        marginLeft: 92,
        marginRight: 16,
        x: { label: "Pearson's r with the task duration", domain: [-1, 1], grid: true, ticks: narrow ? 5 : 9 },
        y: { label: null, type: "point", padding: 0.6, domain: metrics.map(({ name }) => name) },
        marks: [
          ruleX([0], { stroke: colors.muted }),
          link(known.filter((row) => row.low !== null), { x1: "low", x2: "high", y: "metric", stroke: color, strokeWidth: 4, strokeOpacity: 0.35 }),
          dot(known, { x: "r", y: "metric", fill: color, r: (row: Correlation) => (row.sign === "one" ? 3 : 5), symbol: (row: Correlation) => (row.sign === "both" ? "diamond" : "circle") }),
          tip(known, pointer({ x: "r", y: "metric", title: tipText })),
        ],
      };
    },
  });
}

function correlationsOf(metric: string, body: JsonObject | null): readonly Correlation[] {
  const range = object(body, "pooled_interval");
  const within = nums(body, "within");
  return [
    { metric, over: "all GPUs", sign: "pooled", r: num(body, "pooled"), low: num(range, "low"), high: num(range, "high") },
    ...within.map((r, index): Correlation => ({ metric, over: populationName(index, within.length), sign: "one", r, low: null, high: null })),
    { metric, over: "within groups", sign: "both", r: num(body, "all_within"), low: null, high: null },
  ];
}

function tipText({ metric, over, r, low, high }: Correlation): string {
  const range = low === null || high === null ? "" : ` (${number(low)} to ${number(high)})`;
  return `${metric}, ${over}\nr ${number(r)}${range}`;
}
