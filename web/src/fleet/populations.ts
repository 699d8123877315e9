import type { Column } from "../base/columns";
import { h } from "../base/dom";
import { count, number, si } from "../base/format";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { num, objects, text } from "../documents/document";
import { populationName } from "./analysis";

interface Population {
  name: string;
  body: JsonObject;
}

const of = (key: string) => ({ body }: Population) => num(body, key);

const columns: readonly Column<Population>[] = [
  { key: "name", label: "group" },
  { key: "n", label: "GPUs", value: of("n"), format: (value) => count(value) },
  { key: "render_seconds", label: "task duration", value: of("render_seconds"), format: (value) => si(value, "s", 4) },
  { key: "separation", label: "separation of durations", value: of("separation") },
  { key: "split_by", label: "split by", value: ({ body }) => text(body, "split_by") },
  { key: "split_mean", label: "mean of the split metric", value: of("split_mean"), format: (value) => number(value, 4) },
  { key: "split_separation", label: "separation of the split metric", value: of("split_separation") },
  { key: "bic_advantage", label: "BIC advantage over one group", value: of("bic_advantage"), format: (value) => number(value, 4) },
];

// Groups of GPUs, fastest first.
export function populationsTable(analysis: JsonObject, simulated: boolean): HTMLElement {
  const found = objects(analysis, "clusters");
  if (found.length === 0) return h("p", null, "All GPUs belong to one group.");
  const rows = found.map((body, index) => ({ name: populationName(index, found.length), body }));
  return table({ label: "Groups of GPUs", caption: true, columns, rows, csvName: "fleet-populations", simulated });
}
