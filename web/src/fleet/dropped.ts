// What was read, and what of it was not used and why.

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
  ["unpaired_reasons", "events without a partner"], ["checkpoint_rows", "rows of events"], ["sample_rows", "rows of samples"],
];

export function droppedRows(analysis: JsonObject, simulated: boolean): HTMLElement | null {
  const counts = object(analysis, "counts");
  if (!counts) return null;
  const rows = [
    ...tallies("all", counts),
    ...sections.flatMap(([key, where]) => tallies(where, object(counts, key))),
  ];
  const columns = [
    { key: "where", label: "of" },
    { key: "what", label: "what" },
    { key: "count", label: "how many", format: (value: number) => count(value) },
  ];
  return h(
    "details",
    { class: "nested" },
    h("summary", null, "What was read, doubled, dropped or left alone"),
    table({ label: "Counts of rows and events", columns, rows, csvName: "fleet-counts", simulated }),
  );
}

function tallies(where: string, from: JsonObject | null): readonly Tally[] {
  return Object.entries(from ?? {}).flatMap(([key, value]): readonly Tally[] => {
    const what = fieldName(key).label;
    if (typeof value === "number" || value === null) return [{ where, what, count: value }];
    // Metrics: {power: 3, ...}. Larger parts have their own section.
    if (isObject(value) && !sections.some(([section]) => section === key)) return tallies(`${where}, ${what}`, value);
    return [];
  });
}
