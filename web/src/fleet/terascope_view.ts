// View of ergon.reproduce.terascope: claims of the study, and two analyses of its fleet.

import { h } from "../base/dom";
import { object, objects } from "../documents/document";
import type { View } from "../documents/views";
import { claimsView } from "../reproduce/claims_view";
import { choiceOf } from "../reproduce/choice_of";
import { analysisView } from "./analysis_view";

const analyses: readonly (readonly [string, string])[] = [
  ["duplicates_removed", "duplicate rows counted once"], ["duplicates_counted", "all rows counted, as in the study"],
];

export const terascopeView: View = ({ body, simulated }) => {
  const found = analyses.flatMap(([key, label]) => {
    const analysis = object(body, key);
    return analysis ? [{ value: key, label, draw: () => analysisView(analysis, simulated) }] : [];
  });
  return h(
    "section",
    null,
    h("h2", null, "Claims of the TeraScope study"),
    claimsView(objects(body, "claims"), simulated),
    found.length > 0 && [h("h2", null, "Fleet"), choiceOf("Duplicate rows", found)],
  );
};
