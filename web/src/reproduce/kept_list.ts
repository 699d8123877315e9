// Documents in the results folder that a page can draw, newest first; each opens on that page as ?result=ID.

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
  { key: "title", label: "document" },
  { key: "schema", label: "kind" },
  { key: "created", label: "created", value: ({ created }) => instant(created) },
  { key: "bytes", label: "size", format: (value) => bytes(value) },
  { key: "simulated", label: "simulated" },
];

export function keptList(context: LiveContext, page: string, schemas: readonly string[], label: string): HTMLElement {
  const answer = context.client.get<{ results?: readonly KeptResult[] }>("/results", {}, context.signal);
  return loading(answer, ({ results }) => {
    const own = (results ?? []).filter(({ schema }) => schemas.includes(schema)).sort((a, b) => b.created.localeCompare(a.created));
    if (own.length === 0) return h("p", { class: "caption" }, "None is kept yet.");
    return table({ label, columns, rows: own, link: ({ id }) => linkTo(page, { result: id }) });
  });
}

// The document that the address names, with the way back; null where it names none.
export function keptDocument(context: LiveContext, page: string): HTMLElement | null {
  const id = context.parameters.get("result");
  if (id === null) return null;
  const answer = context.client.document(`/results/${encodeURIComponent(id)}`, {}, context.signal);
  return h("div", null, h("p", null, h("a", { href: linkTo(page) }, "Back to forms and lists")), loading(answer, (document) => drawDocument(document, context), "Loading the document"));
}
