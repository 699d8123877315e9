// Which function draws which document. pages.ts fills the registry; any page may draw any document with drawDocument().

import { h } from "../base/dom";
import type { ErgonDocument } from "./document";
import { genericView } from "./generic_view";
import { provenance } from "./provenance";

// What a view may use: the address's parameters (kept without drawing anew) and a signal that ends with the page.
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

// The document by its view, or by the generic one, with where it comes from below. A view that fails says so and the
// document is drawn all the same.
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
    return h("div", null, h("p", { class: "problem", role: "alert" }, `This view failed: ${message}`), genericView(document));
  }
}
