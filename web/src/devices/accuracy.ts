// Accuracy of twins: mean absolute percentage errors of fitted and of held-out rows.

import { axisX, dot, link, pointerY, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { count, percent } from "../base/format";
import { cssSeries } from "../base/palette";
import { chart } from "../charts/chart";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { num, text } from "../documents/document";

export interface AccuracyRow {
  what: string; // "h200, networks_infer: power"
  twin: string;
  table: string;
  quantity: string;
  rows_fitted: number | null;
  mape_fitted: number | null;
  rows_held_out: number | null;
  mape_held_out: number | null; // null over no rows
}

export function accuracyRows(entries: readonly JsonObject[], twin?: string): readonly AccuracyRow[] {
  return entries.map((entry) => {
    const device = twin ?? text(entry, "device") ?? "unnamed";
    const source = text(entry, "table") ?? "unnamed";
    const quantity = (text(entry, "quantity") ?? "").replaceAll("_", " ");
    return {
      what: `${device}: ${quantity}, ${source}`,
      twin: device,
      table: source,
      quantity,
      rows_fitted: num(entry, "rows_fitted"),
      mape_fitted: num(entry, "mape_fitted"),
      rows_held_out: num(entry, "rows_held_out"),
      mape_held_out: num(entry, "mape_held_out"),
    };
  });
}

const share = (value: number) => percent(value);
const columns: readonly Column<AccuracyRow>[] = [
  { key: "twin", label: "twin" },
  { key: "table", label: "measured table" },
  { key: "quantity", label: "quantity" },
  { key: "mape_held_out", label: "MAPE, held out", format: share },
  { key: "rows_held_out", label: "rows held out" },
  { key: "mape_fitted", label: "MAPE, fitted", format: share },
  { key: "rows_fitted", label: "rows fitted" },
];

export function accuracyTable(rows: readonly AccuracyRow[]): HTMLElement {
  return table({ label: "Accuracy of twins", columns, rows, csvName: "twins-accuracy", simulated: true });
}

export function accuracyChart(id: string, all: readonly AccuracyRow[]): HTMLElement {
  return chart<AccuracyRow>({
    id,
    title: "Accuracy of each twin (MAPE)",
    caption: "Held-out rows were not used for fitting; only they show the accuracy on new data. No mark if there are none.",
    simulated: true,
    columns,
    rows: all,
    legend: [{ label: "rows held out", color: cssSeries(1), sign: "dot" }, { label: "rows fitted", color: cssSeries(0), sign: "dot" }],
    height: 60 + all.length * 20,
    draw: ({ narrow, colors }) => {
      const both = all.filter((row) => row.mape_fitted !== null && row.mape_held_out !== null);
      return {
        marginLeft: narrow ? 170 : 330,
        marginTop: 34,
        x: { percent: true, grid: true, zero: true, label: "mean absolute percentage error (%)" },
        y: { label: null, type: "point", domain: all.map(({ what }) => what), padding: 0.6, tickFormat: (what: string) => (narrow && what.length > 22 ? `${what.slice(0, 21)}…` : what) },
        marks: [
          axisX({ anchor: "top", label: "mean absolute percentage error (%)", ticks: narrow ? 4 : 8 }),
          link(both, { x1: "mape_fitted", x2: "mape_held_out", y: "what", stroke: colors.grid, strokeWidth: 2 }),
          dot(all.filter(({ mape_fitted }) => mape_fitted !== null), { x: "mape_fitted", y: "what", fill: colors.series[0] ?? "", r: 4 }),
          dot(all.filter(({ mape_held_out }) => mape_held_out !== null), { x: "mape_held_out", y: "what", fill: colors.series[1] ?? "", symbol: "diamond", r: 4.5 }),
          tip(all, pointerY({ x: (row: AccuracyRow) => row.mape_held_out ?? row.mape_fitted, y: "what", title: tipText, lineWidth: narrow ? 12 : 26 })),
        ],
      };
    },
  });
}

function tipText(row: AccuracyRow): string {
  return `${row.what}\nheld out ${percent(row.mape_held_out)} over ${count(row.rows_held_out)} rows\nfitted ${percent(row.mape_fitted)} over ${count(row.rows_fitted)} rows`;
}
