// Views of ergon.fit and ergon.predict.evaluate: accuracy on held-out networks.

import { h } from "../base/dom";
import { count, percent, unknown } from "../base/format";
import { facts } from "../charts/facts";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { num, objects, text } from "../documents/document";
import type { View } from "../documents/views";
import { heldOutCharts } from "./held_out";
import { scoresTable } from "./scores_table";

export const fitView: View = ({ body, simulated }) => {
  const sources = objects(body, "training_data");
  return h(
    "section",
    null,
    h("h2", null, `Model of ${text(body, "device") ?? "a device"}`),
    facts([
      { label: "source", value: text(body, "source") ?? unknown },
      { label: "file", value: text(body, "model") ?? unknown },
      ...scoreFacts(body),
    ]),
    h("div", { class: "columns" }, heldOutCharts(body, "fit", simulated)),
    h("h2", null, "Scores"),
    scoresTable(objects(body, "scores"), "fit-scores", simulated),
    sources.length > 0 && h("h2", null, "Training data"),
    sources.length > 0 && table({
      label: "Training data", rows: sources, csvName: "fit-sources", simulated,
      columns: [{ key: "name", label: "source" }, { key: "operations", label: "operations" }, { key: "networks", label: "networks" }, { key: "detail", label: "detail" }],
    }),
  );
};

export const evaluateView: View = ({ body, simulated }) =>
  h(
    "section",
    null,
    h("h2", null, "Accuracy on held-out rows"),
    h("p", null, `Operations in ${count(num(body, "folds"))} folds, networks held out one at a time; ${text(body, "trees") ?? unknown} trees.`),
    objects(body, "devices").map((device) => {
      const name = text(device, "device") ?? "unknown";
      return h(
        "section",
        null,
        h("h2", null, name),
        facts(scoreFacts(device)),
        h("div", { class: "columns" }, heldOutCharts(device, `evaluate-${name}`, simulated)),
        scoresTable(objects(device, "scores"), `scores-${name}`, simulated),
      );
    }),
  );

// MAPE of networks.
function scoreFacts(body: JsonObject): { label: string; value: string; note: string }[] {
  return objects(body, "scores")
    .filter((score) => text(score, "what")?.startsWith("networks"))
    .map((score) => ({
      label: (text(score, "what") ?? unknown).replace(/^networks, /, ""),
      value: percent(num(score, "mape")),
      note: `MAPE, ${count(num(score, "rows"))} networks`,
    }));
}
