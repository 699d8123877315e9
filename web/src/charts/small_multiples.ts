// A grid of small charts of the same kind, with one title, legend and CSV file.

import { balancedGrid } from "../base/balanced_grid";
import { csv } from "../base/csv";
import { h } from "../base/dom";
import { download } from "../base/download";
import type { ChartOptions } from "./chart";
import { badge, chart } from "./chart";
import type { LegendEntry } from "./legend";
import { legend } from "./legend";
import type { Column } from "../base/columns";
import { withOrigin } from "../base/columns";

const minWidth = 15; // rem

export interface SmallMultiplesOptions<Row> {
  id: string;
  title: string;
  caption?: string;
  simulated: boolean;
  columns: readonly Column<Row>[]; // of all charts, including one that identifies the chart
  legend?: readonly LegendEntry[];
  charts: readonly Cell<Row>[];
  height?: number; // of one chart; default: 160
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
    balancedGrid(h("div", { class: "grid" }, options.charts.map((cell) => chart({ ...shared, ...cell }))), minWidth),
  );
}
