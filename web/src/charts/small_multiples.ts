// Many small charts of one kind in a grid that wraps, with one title, one legend and one CSV file for all.

import { csv } from "../base/csv";
import { h } from "../base/dom";
import { download } from "../base/download";
import type { ChartOptions } from "./chart";
import { badge, chart } from "./chart";
import type { LegendEntry } from "./legend";
import { legend } from "./legend";
import type { Column } from "../base/columns";
import { withOrigin } from "../base/columns";

export interface SmallMultiplesOptions<Row> {
  id: string;
  title: string;
  caption?: string;
  simulated: boolean;
  columns: readonly Column<Row>[]; // of all charts; with a column that tells them apart
  legend?: readonly LegendEntry[];
  charts: readonly Cell<Row>[];
  height?: number; // of one chart, 160 without it
}

type Cell<Row> = Pick<ChartOptions<Row>, "id" | "title" | "rows" | "draw" | "caption">;

export function smallMultiples<Row>(options: SmallMultiplesOptions<Row>): HTMLElement {
  const { simulated, columns } = options;
  const shared = { simulated, columns, small: true, height: options.height ?? 160, ...(options.legend ? { legend: options.legend } : {}) };
  const all = () => options.charts.flatMap(({ rows }) => (typeof rows === "function" ? rows() : rows));
  const save = () => download(`${options.id}.csv`, "text/csv", csv(withOrigin(columns, simulated), all()));
  return h(
    "section",
    { class: "multiples", "data-multiples": options.id },
    h(
      "div",
      { class: "chart-head" },
      h("h3", { class: "chart-title" }, options.title),
      simulated && badge(),
      h(
        "div",
        { class: "tools" },
        h("button", { type: "button", class: "quiet", "aria-label": `Download data as CSV: ${options.title}`, onclick: save }, "CSV"),
      ),
    ),
    options.caption !== undefined && h("p", { class: "caption" }, options.caption),
    options.legend && legend(options.legend),
    h("div", { class: "grid" }, options.charts.map((cell) => chart({ ...shared, ...cell }))),
  );
}
