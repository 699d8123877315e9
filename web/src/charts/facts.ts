// Key figures in a row: what a reader wants to know first.

import { h } from "../base/dom";

export interface Fact {
  label: string;
  value: string; // written, with its unit: si(0.0094, "s")
  interval?: string; // "9.1 ms to 9.8 ms", where there is one
  note?: string;
}

export function facts(entries: readonly Fact[]): HTMLElement {
  return h(
    "dl",
    { class: "facts" },
    entries.map((fact) =>
      h(
        "div",
        { class: "fact" },
        h("dt", null, fact.label),
        h("dd", null, h("strong", null, fact.value), fact.interval !== undefined && h("span", null, fact.interval), fact.note !== undefined && h("span", null, fact.note)),
      ),
    ),
  );
}
