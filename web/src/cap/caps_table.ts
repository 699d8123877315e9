import type { Column } from "../base/columns";
import { h } from "../base/dom";
import { si } from "../base/format";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { objects } from "../documents/document";

const columns: readonly Column<JsonObject>[] = [
  { key: "time_seconds", label: "from", unit: "s", format: (value) => value.toFixed(2) },
  { key: "cap_watts", label: "cap", unit: "W", format: (value) => value.toFixed(1) },
  { key: "origin", label: "source" },
  { key: "took_seconds", label: "time until held", format: (value) => si(value, "s") },
  { key: "decisions", label: "decisions until held" },
];

// Time until each cap was held; null if the document has no caps.
export function capsTable(body: JsonObject, simulated: boolean): HTMLElement | null {
  const caps = objects(body, "caps");
  if (caps.length === 0) return null;
  return h("section", null, h("h3", null, "Power caps"), table({ label: "Power caps", columns, rows: caps, csvName: "caps", simulated }));
}
