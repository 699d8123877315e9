import type { Cell, Column } from "./columns";
import { cellOf } from "./columns";

// RFC 4180 with numbers in SI units. Unknown values are empty fields.
export function csv<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const lines = [columns.map((column) => field(column.key)).join(",")];
  for (const row of rows) lines.push(columns.map((column) => field(cellOf(column, row))).join(","));
  return lines.join("\r\n") + "\r\n";
}

function field(value: Cell): string {
  if (value === null || value === undefined) return "";
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
