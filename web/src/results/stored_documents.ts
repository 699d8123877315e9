// Stored documents that a page can draw, newest first. Each opens on that page as ?result=ID.

import { loading } from "../api/loading";
import type { StoredResult } from "../api/types";
import type { Column } from "../base/columns";
import { h } from "../base/dom";
import { bytes, instant } from "../base/format";
import { linkTo } from "../base/router";
import { table } from "../charts/table";
import { drawDocument } from "../documents/views";
import type { LiveContext } from "../page";
import { resultsFolder } from "./no_results";

const columns: readonly Column<StoredResult>[] = [
  { key: "title", label: "document" },
  { key: "schema", label: "schema" },
  { key: "created", label: "created", value: ({ created }) => instant(created) },
  { key: "bytes", label: "size", format: (value) => bytes(value) },
  { key: "simulated", label: "simulated" },
];

export interface StoredDocumentsOptions {
  page: string; // opens the documents
  schemas: readonly string[];
  label: string;
  example: string; // command that stores a document in RESULTS
}

export function storedDocuments(context: LiveContext, { page, schemas, label, example }: StoredDocumentsOptions): HTMLElement {
  const answer = context.client.get<{ results?: readonly StoredResult[] }>("/results", {}, context.signal);
  return loading(answer, ({ results }) => {
    const own = (results ?? []).filter(({ schema }) => schemas.includes(schema)).sort((a, b) => b.created.localeCompare(a.created));
    if (own.length === 0) return h("p", { class: "caption" }, "No stored documents yet. Store one: ", h("code", null, example), resultsFolder);
    return table({ label, columns, rows: own, link: ({ id }) => linkTo(page, { result: id }) });
  });
}

// The document named in the address; null if none is.
export function openedDocument(context: LiveContext, page: string): HTMLElement | null {
  const id = context.parameters.get("result");
  if (id === null) return null;
  const answer = context.client.document(`/results/${encodeURIComponent(id)}`, {}, context.signal);
  return h("div", null, h("p", null, h("a", { href: linkTo(page) }, "Back to the form and the list")), loading(answer, (document) => drawDocument(document, context), "Loading the document"));
}
