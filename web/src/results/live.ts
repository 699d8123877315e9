// The stored documents, and the selected one (?id=ID).

import { loading } from "../api/loading";
import type { StoredResult } from "../api/types";
import type { Column } from "../base/columns";
import { h } from "../base/dom";
import { bytes, instant } from "../base/format";
import { linkTo } from "../base/router";
import { table } from "../charts/table";
import { drawDocument } from "../documents/views";
import type { LiveContext } from "../page";
import { noResults } from "./no_results";

const columns: readonly Column<StoredResult>[] = [
  { key: "title", label: "result" },
  { key: "schema", label: "schema" },
  { key: "created", label: "created", value: ({ created }) => instant(created) },
  { key: "simulated", label: "simulated" },
  { key: "bytes", label: "size", format: (value) => bytes(value) },
];

export function resultsLive(context: LiveContext): HTMLElement {
  const id = context.parameters.get("id");
  const list = loading(
    context.client.get<{ results: readonly StoredResult[] }>("/results", {}, context.signal),
    ({ results }) =>
      results.length === 0
        ? noResults()
        : table({ label: "Stored results", columns, rows: results, csvName: "results", link: (result) => linkTo("results", { id: result.id }) }),
    "Loading results",
  );
  return h(
    "div",
    null,
    h("p", { class: "lead" }, "Results of jobs, and documents in the results folder of the server."),
    id === null ? list : h("details", { class: "nested" }, h("summary", null, "All results"), list),
    id !== null &&
      loading(context.client.document(`/results/${encodeURIComponent(id)}`, {}, context.signal), (document) => drawDocument(document, context), "Loading the result"),
  );
}
