// The documents that the server keeps, and the one that is looked at (?id=ID).

import { loading } from "../api/loading";
import type { KeptResult } from "../api/types";
import type { Column } from "../base/columns";
import { h } from "../base/dom";
import { bytes, instant } from "../base/format";
import { linkTo } from "../base/router";
import { table } from "../charts/table";
import { drawDocument } from "../documents/views";
import type { LiveContext } from "../page";

const columns: readonly Column<KeptResult>[] = [
  { key: "title", label: "result" },
  { key: "schema", label: "document" },
  { key: "created", label: "created", value: ({ created }) => instant(created) },
  { key: "simulated", label: "simulated" },
  { key: "bytes", label: "size", format: (value) => bytes(value) },
];

export function resultsLive(context: LiveContext): HTMLElement {
  const id = context.parameters.get("id");
  const kept = loading(
    context.client.get<{ results: readonly KeptResult[] }>("/results", {}, context.signal),
    ({ results }) =>
      results.length === 0
        ? h("p", null, "Nothing is kept yet. Jobs leave their documents here; so does any document that is copied into the results folder.")
        : table({ label: "Kept results", columns, rows: results, csvName: "results", link: (result) => linkTo("results", { id: result.id }) }),
    "Asking for results",
  );
  return h(
    "div",
    null,
    h("p", { class: "lead" }, "Which results are kept, and what do they say?"),
    id === null ? kept : h("details", { class: "nested" }, h("summary", null, "All results"), kept),
    id !== null &&
      loading(context.client.document(`/results/${encodeURIComponent(id)}`, {}, context.signal), (document) => drawDocument(document, context), "Loading the result"),
  );
}
