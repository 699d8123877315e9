import type { Column } from "../base/columns";
import { count, number, percent } from "../base/format";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { num } from "../documents/document";

// A score that does not apply is absent.
const told = (key: string) => (score: JsonObject) => (score[key] === undefined ? "–" : num(score, key));

const columns: readonly Column<JsonObject>[] = [
  { key: "what", label: "of" },
  { key: "rows", label: "rows", format: (value) => count(value) },
  { key: "mape", label: "mean error (MAPE)", value: (score) => num(score, "mape"), format: (value) => percent(value) },
  { key: "r_squared", label: "R²", value: told("r_squared"), format: (value) => number(value), align: "right" },
  { key: "coverage", label: "within the 90 % interval", value: told("coverage"), format: (value) => percent(value), align: "right" },
];

export function scoresTable(scores: readonly JsonObject[], name: string, simulated: boolean): HTMLElement {
  return table({ label: "How well predictions meet what was held back", columns, rows: scores, csvName: name, simulated });
}
