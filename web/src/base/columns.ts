// Columns of a table or of a chart's data, used for the table on the page and for the CSV file.

import { number, unknown } from "./format";

export type Cell = string | number | boolean | null | undefined;

export interface Column<Row> {
  key: string; // CSV heading, with the unit in the name: "power_watts"
  label: string;
  unit?: string; // shown in the table heading
  value?: (row: Row) => Cell; // default: the row's field `key`
  format?: (value: number, row: Row) => string; // of numbers; default: three digits
  align?: "left" | "right"; // default: numbers right
}

export function cellOf<Row>(column: Column<Row>, row: Row): Cell {
  if (column.value) return column.value(row);
  const value: unknown = (row as Record<string, unknown>)[column.key];
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return null;
}

export function cellText<Row>(column: Column<Row>, row: Row): string {
  const value = cellOf(column, row);
  if (value === null || value === undefined) return unknown;
  if (typeof value === "number") return column.format ? column.format(value, row) : number(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  return value;
}

// Files contain a column that says whether the data is simulated.
export function withOrigin<Row>(columns: readonly Column<Row>[], simulated: boolean): readonly Column<Row>[] {
  if (columns.some((column) => column.key === "simulated")) return columns;
  return [...columns, { key: "simulated", label: "simulated", value: () => simulated }];
}
