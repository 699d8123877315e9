// The columns of a table or of a chart's data: one description serves the table on the page and the CSV file.

import { number, unknown } from "./format";

export type Cell = string | number | boolean | null | undefined;

export interface Column<Row> {
  key: string; // the CSV's head, with the unit in the name: "power_watts"
  label: string;
  unit?: string; // shown in the head of the table
  value?: (row: Row) => Cell; // the row's own field `key` without it
  format?: (value: number, row: Row) => string; // of numbers; three digits without it
  align?: "left" | "right"; // numbers go right without it
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

// A file leaves the page that says "simulated", so it says it itself.
export function withOrigin<Row>(columns: readonly Column<Row>[], simulated: boolean): readonly Column<Row>[] {
  if (columns.some((column) => column.key === "simulated")) return columns;
  return [...columns, { key: "simulated", label: "simulated", value: () => simulated }];
}
