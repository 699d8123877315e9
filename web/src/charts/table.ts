// A sortable, scrolling table that shows fifty rows at a time.

import type { Cell, Column } from "../base/columns";
import { cellOf, cellText, withOrigin } from "../base/columns";
import { csv } from "../base/csv";
import { h } from "../base/dom";
import { download } from "../base/download";

export interface TableOptions<Row> {
  label: string; // for screen readers; visible if `caption` is true
  caption?: boolean;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  csvName?: string; // adds a CSV button; the file's name without ".csv"
  simulated?: boolean; // written to the CSV file; used with csvName
  link?: (row: Row) => string | null; // of the first cell, for example linkTo("predict", {...})
}

const page = 50;
const manyColumns = 12; // from this number on, cells are smaller
const longText = 24; // characters; longer cells wrap if the table is wider than the page

export function table<Row>(options: TableOptions<Row>): HTMLElement {
  const { columns, rows } = options;
  const body = h("tbody");
  const more = h("button", { type: "button", class: "quiet", onclick: () => show(shown + page) });
  const right = columns.map((column) => column.align === "right" || (column.align === undefined && numeric(column, rows)));
  let order: readonly Row[] = rows;
  let shown = 0;

  const show = (count: number) => {
    const next = Math.min(count, order.length);
    for (const row of order.slice(shown, next)) body.append(tableRow(options, right, row));
    shown = next;
    more.hidden = shown >= order.length;
    more.textContent = `Show more (${shown} of ${order.length})`;
  };
  const heads = columns.map((column, index) => head(column, right[index] ?? false, (descending) => {
    for (const other of heads) if (other !== heads[index]) other.removeAttribute("aria-sort");
    order = sorted(rows, column, descending);
    const count = Math.max(shown, page);
    body.replaceChildren();
    shown = 0;
    show(count);
  }));
  show(page);
  const save = options.csvName === undefined ? null : h("button", {
    type: "button", class: "quiet", "aria-label": `Download as CSV: ${options.label}`,
    onclick: () => download(`${options.csvName}.csv`, "text/csv", csv(options.simulated === undefined ? columns : withOrigin(columns, options.simulated), order)),
  }, "CSV");
  return h(
    "div",
    { class: "table" },
    save && h("div", { class: "tools" }, save),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": options.label },
      h("table", { class: columns.length >= manyColumns ? "dense" : null }, options.caption && h("caption", null, options.label), h("thead", null, h("tr", null, heads)), body),
    ),
    more,
  );
}

function head<Row>(column: Column<Row>, right: boolean, sort: (descending: boolean) => void): HTMLElement {
  const button = h("button", { type: "button" }, column.label, column.unit ? h("span", { class: "unit" }, ` ${column.unit}`) : null);
  const cell = h("th", { scope: "col", class: right ? "right" : null }, button);
  button.addEventListener("click", () => {
    const descending = cell.getAttribute("aria-sort") === "ascending";
    cell.setAttribute("aria-sort", descending ? "descending" : "ascending");
    sort(descending);
  });
  return cell;
}

function tableRow<Row>(options: TableOptions<Row>, right: readonly boolean[], row: Row): HTMLElement {
  return h(
    "tr",
    null,
    options.columns.map((column, index) => {
      const value = cellOf(column, row);
      const missing = value === null || value === undefined;
      const text = cellText(column, row);
      const address = index === 0 ? (options.link?.(row) ?? null) : null;
      const style = [right[index] && "right", missing && "unknown", text.length > longText && "long"].filter(Boolean).join(" ");
      return h("td", { class: style || null }, address === null ? text : h("a", { href: address }, text));
    }),
  );
}

function numeric<Row>(column: Column<Row>, rows: readonly Row[]): boolean {
  const first = rows.slice(0, page).map((row) => cellOf(column, row)).find((value) => value !== null && value !== undefined);
  return typeof first === "number";
}

// Unknown values are last in both directions.
function sorted<Row>(rows: readonly Row[], column: Column<Row>, descending: boolean): readonly Row[] {
  const keyed = rows.map((row) => ({ row, value: cellOf(column, row) }));
  keyed.sort((a, b) => {
    const missing = Number(a.value === null || a.value === undefined) - Number(b.value === null || b.value === undefined);
    return missing !== 0 ? missing : (descending ? -1 : 1) * compare(a.value, b.value);
  });
  return keyed.map(({ row }) => row);
}

function compare(a: Cell, b: Cell): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}
