// Number of rows read, and of rows not used, by reason.

import { h } from "../base/dom";
import { fieldName } from "../base/field_names";
import { count } from "../base/format";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { isObject, object } from "../documents/document";

interface Tally {
  where: string;
  what: string;
  count: number | null;
}

const sections: readonly (readonly [string, string])[] = [
  ["unpaired_reasons", "unpaired checkpoints"], ["checkpoint_rows", "checkpoint rows"], ["sample_rows", "telemetry samples"],
];

export function droppedRows(analysis: JsonObject, simulated: boolean): HTMLElement | null {
  const counts = object(analysis, "counts");
  if (!counts) return null;
  const rows = [
    ...tallies("all", counts),
    ...sections.flatMap(([key, where]) => tallies(where, object(counts, key))),
  ];
  const columns = [
    { key: "where", label: "group" },
    { key: "what", label: "reason" },
    { key: "count", label: "count", format: (value: number) => count(value) },
  ];
  return h(
    "details",
    { class: "nested" },
    h("summary", null, "Rows read, duplicated and dropped"),
    table({ label: "Counts of rows and events", columns, rows, csvName: "fleet-counts", simulated }),
  );
}

function tallies(where: string, from: JsonObject | null): readonly Tally[] {
  return Object.entries(from ?? {}).flatMap(([key, value]): readonly Tally[] => {
    const what = fieldName(key).label;
    if (typeof value === "number" || value === null) return [{ where, what, count: value }];
    // Metrics: {power: 3, ...}. Other objects have their own section.
    if (isObject(value) && !sections.some(([section]) => section === key)) return tallies(`${where}, ${what}`, value);
    return [];
  });
}
