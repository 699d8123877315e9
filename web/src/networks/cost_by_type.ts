// MACs, FLOPs and memory traffic by operation type.

import { barX, pointerY, stackX, text as label, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { bytes, count, percent, si } from "../base/format";
import { cssSeries } from "../base/palette";
import { chart } from "../charts/chart";
import type { Operation } from "./inspection";

interface Total {
  type: string;
  count: number;
  macs: number;
  flops: number;
  bytes: number;
}

interface Share {
  type: string;
  measure: string;
  share: number;
  written: string;
}

const measures = [
  { label: "MACs", key: "macs", write: (value: number) => si(value, "MAC") },
  { label: "FLOPs", key: "flops", write: (value: number) => si(value, "FLOP") },
  { label: "memory traffic", key: "bytes", write: (value: number) => bytes(value) },
] as const;

const columns: readonly Column<Total>[] = [
  { key: "operation", label: "operation", value: (total) => total.type },
  { key: "count", label: "count", format: (value) => count(value) },
  ...measures.map((measure): Column<Total> => ({ key: measure.key, label: measure.label, format: measure.write })),
];

export function costByType(operations: readonly Operation[], simulated: boolean): HTMLElement {
  const totals = totalsOf(operations);
  const shares = measures.flatMap((measure) => sharesOf(totals, measure));
  const types = totals.map((total) => total.type).filter((type) => shares.some((share) => share.type === type));
  return chart({
    id: "inspect-cost-by-type",
    title: "MACs, FLOPs and memory traffic by operation",
    caption: "Shares of one iteration. Operations with much traffic and few FLOPs are memory-bound.",
    simulated,
    columns,
    rows: totals,
    legend: measures.map((measure, index) => ({ label: measure.label, color: cssSeries(index) })),
    height: 60 + types.length * 44,
    draw: ({ colors, narrow }) => {
      const place = { x: "share", y: "measure", fy: "type" } as const;
      return {
        marginLeft: narrow ? 100 : 150,
        marginRight: 48,
        x: { percent: true, label: "share (%)", grid: true, domain: [0, 100], ticks: narrow ? 4 : 10 },
        fy: { label: null, domain: types, axis: "left", tickFormat: (type: string) => type.replaceAll("_", " ") },
        y: { axis: null, domain: measures.map((measure) => measure.label) },
        marks: [
          barX(shares, { ...place, fill: (share: Share) => colors.series[measures.findIndex((measure) => measure.label === share.measure)] ?? "" }),
          label(shares, { ...place, text: (share: Share) => percent(share.share), textAnchor: "start", dx: 4, fill: colors.muted, fontSize: 10 }),
          tip(shares, pointerY(stackX({ ...place, title: (share: Share) => `${share.type}: ${share.measure}\n${share.written}, ${percent(share.share, 2)}` }))),
        ],
      };
    },
  });
}

// Types with the most FLOPs first.
function totalsOf(operations: readonly Operation[]): Total[] {
  const totals = new Map<string, Total>();
  for (const operation of operations) {
    const total = totals.get(operation.type) ?? { type: operation.type, count: 0, macs: 0, flops: 0, bytes: 0 };
    total.count += operation.count;
    for (const { key } of measures) total[key] += operation[key] ?? 0;
    totals.set(operation.type, total);
  }
  return [...totals.values()].sort((a, b) => b.flops - a.flops || b.bytes - a.bytes);
}

function sharesOf(totals: readonly Total[], measure: (typeof measures)[number]): Share[] {
  const whole = totals.reduce((sum, total) => sum + total[measure.key], 0);
  if (whole === 0) return [];
  return totals
    .filter((total) => total[measure.key] > 0)
    .map((total) => ({ type: total.type, measure: measure.label, share: total[measure.key] / whole, written: measure.write(total[measure.key]) }));
}
