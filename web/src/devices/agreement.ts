// Twins against measured tables: mean absolute errors, of rows that took part in fitting and of rows held back.

import { axisX, dot, link, pointerY, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { count, percent } from "../base/format";
import { cssSeries } from "../base/palette";
import { chart } from "../charts/chart";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { num, text } from "../documents/document";

export interface Agreement {
  what: string; // "h200, networks_infer: power"
  twin: string;
  table: string;
  quantity: string;
  rows_fitted: number | null;
  mape_fitted: number | null;
  rows_held_back: number | null;
  mape_held_back: number | null; // null over no rows
}

export function agreements(entries: readonly JsonObject[], twin?: string): readonly Agreement[] {
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
      rows_held_back: num(entry, "rows_held_back"),
      mape_held_back: num(entry, "mape_held_back"),
    };
  });
}

const share = (value: number) => percent(value);
const columns: readonly Column<Agreement>[] = [
  { key: "twin", label: "twin" },
  { key: "table", label: "measured table" },
  { key: "quantity", label: "quantity" },
  { key: "mape_held_back", label: "error, held back", format: share },
  { key: "rows_held_back", label: "rows held back" },
  { key: "mape_fitted", label: "error, fitted", format: share },
  { key: "rows_fitted", label: "rows fitted" },
];

export function agreementTable(rows: readonly Agreement[]): HTMLElement {
  return table({ label: "Errors of twins", columns, rows, csvName: "twins-agreement", simulated: true });
}

export function agreementChart(id: string, all: readonly Agreement[]): HTMLElement {
  return chart<Agreement>({
    id,
    title: "Mean error of each twin against measured tables",
    caption: "Only rows that were held back tell how far a twin can be trusted: the others took part in fitting it. No mark where there are no such rows.",
    simulated: true,
    columns,
    rows: all,
    legend: [{ label: "rows held back", colour: cssSeries(1), sign: "dot" }, { label: "rows fitted", colour: cssSeries(0), sign: "dot" }],
    height: 60 + all.length * 20,
    draw: ({ narrow, colours }) => {
      const both = all.filter((row) => row.mape_fitted !== null && row.mape_held_back !== null);
      return {
        marginLeft: narrow ? 170 : 330,
        marginTop: 34,
        x: { percent: true, grid: true, zero: true, label: "mean absolute error (%)" },
        y: { label: null, type: "point", domain: all.map(({ what }) => what), padding: 0.6, tickFormat: (what: string) => (narrow && what.length > 22 ? `${what.slice(0, 21)}…` : what) },
        marks: [
          axisX({ anchor: "top", label: "mean absolute error (%)", ticks: narrow ? 4 : 8 }),
          link(both, { x1: "mape_fitted", x2: "mape_held_back", y: "what", stroke: colours.grid, strokeWidth: 2 }),
          dot(all.filter(({ mape_fitted }) => mape_fitted !== null), { x: "mape_fitted", y: "what", fill: colours.series[0] ?? "", r: 4 }),
          dot(all.filter(({ mape_held_back }) => mape_held_back !== null), { x: "mape_held_back", y: "what", fill: colours.series[1] ?? "", symbol: "diamond", r: 4.5 }),
          tip(all, pointerY({ x: (row: Agreement) => row.mape_held_back ?? row.mape_fitted, y: "what", title: tipText, lineWidth: narrow ? 12 : 26 })),
        ],
      };
    },
  });
}

function tipText(row: Agreement): string {
  return `${row.what}\nheld back ${percent(row.mape_held_back)} over ${count(row.rows_held_back)} rows\nfitted ${percent(row.mape_fitted)} over ${count(row.rows_fitted)} rows`;
}
