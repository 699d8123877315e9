// Latest decisions of a running job, newest first. Only the rows change, so that the scroll position is kept.

import type { Decision } from "../api/types";
import { cellOf, cellText } from "../base/columns";
import { h, replaceChildren } from "../base/dom";
import { decisionColumns } from "./decision_columns";

const latest = 12;

export interface DecisionLog {
  element: HTMLElement;
  show: (decisions: readonly Decision[]) => void;
}

export function decisionLog(): DecisionLog {
  const body = h("tbody");
  const heads = decisionColumns.map(({ key, label, unit }) => h("th", { scope: "col", class: key === "reason" ? null : "right" }, label, unit ? h("span", { class: "unit" }, ` ${unit}`) : null));
  const element = h(
    "div",
    { class: "scroll decision-log", tabindex: 0, role: "region", "aria-label": "Latest decisions" },
    h("table", null, h("thead", null, h("tr", null, heads)), body),
  );
  const show = (decisions: readonly Decision[]) => replaceChildren(body, decisions.slice(-latest).reverse().map(row));
  return { element, show };
}

function row(decision: Decision): HTMLElement {
  return h(
    "tr",
    null,
    decisionColumns.map((column) => h("td", { class: typeof cellOf(column, decision) === "number" ? "right" : null }, cellText(column, decision))),
  );
}
