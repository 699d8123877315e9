// Key figures.

import { balancedGrid } from "../base/balanced_grid";
import { h } from "../base/dom";

const minWidth = 10.5; // rem

export interface Fact {
  label: string;
  value: string; // formatted with its unit: si(0.0094, "s")
  interval?: string; // "9.1 ms to 9.8 ms"
  note?: string;
}

export function facts(entries: readonly Fact[]): HTMLElement {
  return balancedGrid(h(
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
  ), minWidth);
}
