import type { Column } from "../base/columns";
import { count, number, percent } from "../base/format";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { num } from "../documents/document";

// A score that does not apply is absent.
const score = (key: string) => (row: JsonObject) => (row[key] === undefined ? "–" : num(row, key));

const columns: readonly Column<JsonObject>[] = [
  { key: "what", label: "quantity" },
  { key: "rows", label: "rows", format: (value) => count(value) },
  { key: "mape", label: "MAPE", value: (row) => num(row, "mape"), format: (value) => percent(value) },
  { key: "r_squared", label: "R²", value: score("r_squared"), format: (value) => number(value), align: "right" },
  { key: "coverage", label: "coverage of the 90 % interval", value: score("coverage"), format: (value) => percent(value), align: "right" },
];

export function scoresTable(scores: readonly JsonObject[], name: string, simulated: boolean): HTMLElement {
  return table({ label: "Accuracy on held-out rows", columns, rows: scores, csvName: name, simulated });
}
