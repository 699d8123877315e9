// Registry of views by schema. pages.ts fills it; any page can draw any document with drawDocument().

import { h } from "../base/dom";
import type { ErgonDocument } from "./document";
import { genericView } from "./generic_view";
import { provenance } from "./provenance";

// The address parameters and a signal that is aborted when the user leaves the page.
export interface ViewContext {
  parameters: URLSearchParams;
  keepParameters: (parameters: Readonly<Record<string, string>> | URLSearchParams) => void;
  signal: AbortSignal;
}

export type View = (document: ErgonDocument, context: ViewContext) => HTMLElement;
export type Views = Readonly<Record<string, View>>; // by schema

const registry = new Map<string, View>();

export function registerViews(views: Views): void {
  for (const [schema, view] of Object.entries(views)) registry.set(schema, view);
}

// Draws a document with its view, or with the generic one, and its provenance. If a view fails, the error is shown and
// the generic view is used.
export function drawDocument(document: ErgonDocument, context: ViewContext): HTMLElement {
  return h("article", { class: "document", "data-schema": document.schema }, drawn(document, context), provenance(document));
}

function drawn(document: ErgonDocument, context: ViewContext): HTMLElement {
  const view = registry.get(document.schema) ?? genericView;
  try {
    return view(document, context);
  } catch (error) {
    console.error(error);
    const message = error instanceof Error ? error.message : String(error);
    return h("div", null, h("p", { class: "problem", role: "alert" }, `This view could not be drawn: ${message}`), genericView(document));
  }
}
