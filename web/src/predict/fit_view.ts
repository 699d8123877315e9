// The views of ergon.fit/1 and ergon.predict.evaluate/1: how well predictions meet networks that were held back.

import { h } from "../base/dom";
import { count, percent, unknown } from "../base/format";
import { facts } from "../charts/facts";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { num, objects, text } from "../documents/document";
import type { View } from "../documents/views";
import { heldBackCharts } from "./held_back";
import { scoresTable } from "./scores_table";

export const fitView: View = ({ body, simulated }) => {
  const sources = objects(body, "sources");
  return h(
    "section",
    null,
    h("h2", null, `Model of ${text(body, "device") ?? "a device"}`),
    facts([
      { label: "regime", value: text(body, "regime") ?? unknown },
      { label: "file", value: text(body, "model") ?? unknown },
      ...scoreFacts(body),
    ]),
    h("div", { class: "columns" }, heldBackCharts(body, "fit", simulated)),
    h("h2", null, "Scores"),
    scoresTable(objects(body, "scores"), "fit-scores", simulated),
    sources.length > 0 && h("h2", null, "Learned from"),
    sources.length > 0 && table({
      label: "Sources of the model", rows: sources, csvName: "fit-sources", simulated,
      columns: [{ key: "name", label: "source" }, { key: "operations", label: "operations" }, { key: "networks", label: "networks" }, { key: "detail", label: "detail" }],
    }),
  );
};

export const evaluateView: View = ({ body, simulated }) =>
  h(
    "section",
    null,
    h("h2", null, "How well predictions meet rows that were held back"),
    h("p", null, `Operations in ${count(num(body, "folds"))} folds, networks left out one at a time; learned with ${text(body, "trees") ?? unknown} trees.`),
    objects(body, "devices").map((device) => {
      const name = text(device, "device") ?? "unknown";
      return h(
        "section",
        null,
        h("h2", null, name),
        facts(scoreFacts(device)),
        h("div", { class: "columns" }, heldBackCharts(device, `evaluate-${name}`, simulated)),
        scoresTable(objects(device, "scores"), `scores-${name}`, simulated),
      );
    }),
  );

// Mean errors of whole networks first: that is what predictions are for.
function scoreFacts(body: JsonObject): { label: string; value: string; note: string }[] {
  return objects(body, "scores")
    .filter((score) => text(score, "what")?.startsWith("networks"))
    .map((score) => ({
      label: (text(score, "what") ?? unknown).replace(/^networks, /, ""),
      value: percent(num(score, "mape")),
      note: `mean error, ${count(num(score, "rows"))} networks`,
    }));
}
