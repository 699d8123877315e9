import type { Column } from "../base/columns";
import { h } from "../base/dom";
import { instant, number, si } from "../base/format";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { num, objects, text } from "../documents/document";

const columns: readonly Column<JsonObject>[] = [
  { key: "task", label: "task" },
  { key: "seconds", label: "duration", format: (value) => si(value, "s") },
  { key: "times_median", label: "times the median", format: (value) => number(value) },
  { key: "energy_joules", label: "energy", format: (value) => si(value, "J") },
  { key: "level", label: "level", value: (row) => num(row, "level") ?? text(row, "level") },
  { key: "start", label: "start", value: (row) => instant(text(row, "start")) },
  { key: "host", label: "host" },
];

// Tasks that took much longer than the median.
export function stragglers(analysis: JsonObject, simulated: boolean): HTMLElement | null {
  const rows = objects(analysis, "stragglers");
  if (rows.length === 0) return null;
  return h("section", null, h("h2", null, "Stragglers"), table({ label: "Stragglers", columns, rows, csvName: "fleet-stragglers", simulated }));
}
