// Shown in place of an empty list: what to do first, examples, and what the page shows then.

import type { Child } from "./dom";
import { h } from "./dom";

export interface EmptyStateOptions {
  title: string; // "No sweep yet"
  first: readonly Child[]; // steps
  examples?: readonly Child[]; // alternatives, listed below the last step
  start?: { label: string; run: () => void }; // a button that starts the example
  then?: string; // what appears afterwards
}

export function emptyState({ title, first, examples = [], start, then }: EmptyStateOptions): HTMLElement {
  const list = examples.length > 0 && h("ul", null, examples.map((example) => h("li", null, example)));
  return h(
    "section",
    { class: "empty-state" },
    h("h3", null, title),
    first.length === 1 ? h("p", null, first) : h("ol", null, first.map((step, index) => h("li", null, step, index === first.length - 1 && list))),
    first.length === 1 && list,
    start && h("button", { type: "button", class: "primary", onclick: start.run }, start.label),
    then !== undefined && h("p", { class: "caption" }, then),
  );
}
