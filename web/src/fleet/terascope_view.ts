// The view of ergon.reproduce.terascope/1: the study's claims, and its fleet analysed both ways.

import { h } from "../base/dom";
import { object, objects } from "../documents/document";
import type { View } from "../documents/views";
import { claimsView } from "../reproduce/claims_view";
import { choiceOf } from "../reproduce/choice_of";
import { analysisView } from "./analysis_view";

const analyses: readonly (readonly [string, string])[] = [
  ["duplicates_removed", "equal rows counted once"], ["counted_as_there", "all rows counted, as the study did"],
];

export const terascopeView: View = ({ body, simulated }) => {
  const found = analyses.flatMap(([key, label]) => {
    const analysis = object(body, key);
    return analysis ? [{ value: key, label, draw: () => analysisView(analysis, simulated) }] : [];
  });
  return h(
    "section",
    null,
    h("h2", null, "The TeraScope study, claim by claim"),
    claimsView(objects(body, "claims"), simulated),
    found.length > 0 && [h("h2", null, "Its fleet"), choiceOf("Rows that are there twice", found)],
  );
};
