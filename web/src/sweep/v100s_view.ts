// View of ergon.reproduce.v100s: claims of the paper, and two evaluations.

import "./sweep.css";
import { h } from "../base/dom";
import { count, unknown } from "../base/format";
import type { ErgonDocument, JsonObject } from "../documents/document";
import { num, object, objects, text } from "../documents/document";
import type { View, ViewContext } from "../documents/views";
import { claimsView } from "../reproduce/claims_view";
import { evaluateView } from "./evaluate_view";
import { hostShares } from "./host_shares";

const evaluations: readonly (readonly [string, string])[] = [
  ["execution", "Execution: set up and predict once, as in the paper"],
  ["steady", "Steady: warm and repeated"],
];

export const v100sView: View = (document, context) => {
  const { body, simulated } = document;
  const found = evaluations.flatMap(([key, title]) => {
    const part = object(body, key);
    return part ? [{ key, title, part }] : [];
  });
  return h(
    "section",
    null,
    h("h2", null, "Reproduction of the V100S paper"),
    h("p", { class: "lead" }, `${text(body, "paper") ?? unknown}. ${count(num(body, "runs"))} runs.`),
    claimsView([...objects(body, "claims")], simulated),
    hostShares(objects(body, "host_shares"), simulated),
    found.length > 0 && choice(found, document, context),
  );
};

interface Part {
  key: string;
  title: string;
  part: JsonObject;
}

// Shows one evaluation at a time, because both have the same charts.
function choice(parts: readonly Part[], document: ErgonDocument, context: ViewContext): HTMLElement {
  const place = h("div");
  const buttons = parts.map(({ title, part }, index) =>
    h("button", { type: "button", onclick: () => show(part, index) }, title));
  const show = (part: JsonObject, chosen: number) => {
    buttons.forEach((button, index) => button.setAttribute("aria-pressed", String(index === chosen)));
    place.replaceChildren(evaluateView({ ...document, body: part }, context));
  };
  const first = parts[0];
  if (first) show(first.part, 0);
  return h("div", null, h("div", { class: "choice", role: "group", "aria-label": "Evaluation" }, buttons), place);
}
