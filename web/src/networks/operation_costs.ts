// Time and energy by operation, of an estimate or a prediction.

import { barX, pointerY, text as label, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { h } from "../base/dom";
import { percent, si } from "../base/format";
import { cssSeries } from "../base/palette";
import { chart } from "../charts/chart";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { list, num, objects, text } from "../documents/document";

export interface OperationCost {
  type: string;
  detail: string;
  count: number | null;
  seconds: number | null;
  joules: number | null;
  bound: string | null;
}

interface Share {
  type: string;
  measure: string;
  share: number;
  written: string;
}

const measures = [
  { label: "time", key: "seconds", unit: "s", series: 0 },
  { label: "energy", key: "joules", unit: "J", series: 2 },
] as const;

export function readOperationCosts(body: JsonObject): readonly OperationCost[] {
  return objects(body, "operations").map((operation) => ({
    type: text(operation, "type") ?? "unknown",
    detail: text(operation, "description") ?? [list(operation, "input_shape").join("×"), text(operation, "detail") ?? ""].filter(Boolean).join(", "),
    count: num(operation, "count"),
    seconds: num(operation, "time_seconds"),
    joules: num(operation, "energy_joules"),
    bound: text(operation, "bound"),
  }));
}

const columns: readonly Column<OperationCost>[] = [
  { key: "type", label: "operation", value: (cost) => cost.type.replaceAll("_", " ") },
  { key: "detail", label: "detail" },
  { key: "count", label: "count" },
  { key: "time_seconds", label: "time", value: (cost) => cost.seconds, format: (value) => si(value, "s") },
  { key: "energy_joules", label: "energy", value: (cost) => cost.joules, format: (value) => si(value, "J") },
];
const boundColumn: Column<OperationCost> = { key: "bound", label: "bound" };

export function operationCosts(options: { id: string; caption: string; operations: readonly OperationCost[]; simulated: boolean }): HTMLElement {
  const { operations, simulated } = options;
  const shares = measures.flatMap((measure) => sharesOf(operations, measure));
  const types = [...new Set([...shares].sort((a, b) => b.share - a.share).map((share) => share.type))];
  const shownColumns = operations.some((operation) => operation.bound !== null) ? [...columns, boundColumn] : columns;
  const byTime = [...operations].sort((a, b) => (b.seconds ?? -1) - (a.seconds ?? -1));
  return h(
    "div",
    null,
    chart({
      id: options.id,
      title: "Time and energy by operation",
      caption: options.caption,
      simulated,
      columns: shownColumns,
      rows: byTime,
      legend: measures.map((measure) => ({ label: measure.label, color: cssSeries(measure.series) })),
      height: 60 + types.length * 34,
      draw: ({ colors, narrow }) => {
        const place = { x: "share", y: "measure", fy: "type" } as const;
        const color = (share: Share) => colors.series[measures.find((measure) => measure.label === share.measure)?.series ?? 0] ?? "";
        const max = Math.max(...shares.map((share) => share.share), 0.01);
        return {
          marginLeft: narrow ? 110 : 160,
          marginRight: 52,
          x: { percent: true, label: "share of the iteration (%)", grid: true, domain: [0, Math.min(100, max * 105)], ticks: narrow ? 4 : 8 },
          fy: { label: null, domain: types, axis: "left", tickFormat: (type: string) => type.replaceAll("_", " ") },
          y: { axis: null, domain: measures.map((measure) => measure.label) },
          marks: [
            barX(shares, { ...place, fill: color }),
            label(shares, { ...place, text: (share: Share) => percent(share.share), textAnchor: "start", dx: 4, fill: colors.muted, fontSize: 10 }),
            tip(shares, pointerY({ ...place, title: (share: Share) => `${share.type.replaceAll("_", " ")}: ${share.measure}\n${share.written}, ${percent(share.share)}` })),
          ],
        };
      },
    }),
    table({ label: "Operations", columns: shownColumns, rows: byTime, csvName: `${options.id}-operations`, simulated }),
  );
}

function sharesOf(operations: readonly OperationCost[], measure: (typeof measures)[number]): Share[] {
  const sums = new Map<string, number>();
  for (const operation of operations) sums.set(operation.type, (sums.get(operation.type) ?? 0) + (operation[measure.key] ?? 0));
  const total = [...sums.values()].reduce((sum, value) => sum + value, 0);
  if (total === 0) return [];
  return [...sums].map(([type, value]) => ({ type, measure: measure.label, share: value / total, written: si(value, measure.unit) }));
}
