// View of ergon.reproduce.thesis: claims of the thesis, and its tables and figures.

import { h } from "../base/dom";
import { count, number, percent, si, unknown } from "../base/format";
import { facts } from "../charts/facts";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { num, object, objects, text } from "../documents/document";
import type { View } from "../documents/views";
import { verdictOf } from "../reproduce/claim";
import { claimsTable } from "./claims_table";
import { scoresTable } from "./scores_table";
import { clockPoints, thesisClockCharts } from "./thesis_clocks";
import { thesisEnergies } from "./thesis_energies";
import { thesisU } from "./thesis_u";

export const thesisView: View = ({ body, simulated }, context) => {
  const claims = objects(body, "claims");
  const points = clockPoints(body);
  const measured = objects(body, "measured_networks");
  const held = objects(body, "held_out");
  const inMode = (mode: string) => measured.filter((row) => text(row, "mode") === mode);
  return h(
    "section",
    null,
    h("h2", null, "Claims of the thesis"),
    h("p", { class: "lead" }, text(body, "paper")),
    summary(body, claims),
    claimsTable(claims, "thesis-claims", simulated),
    operationsTable(objects(body, "operations"), simulated),
    h(
      "div",
      { class: "columns" },
      thesisEnergies({ id: "thesis-measured-inference", title: "Measured energy of inference", caption: "Figures 5.1 and 5.2, from the thesis's public tables.", rows: inMode("inference"), simulated: false }),
      thesisEnergies({ id: "thesis-measured-training", title: "Measured energy of training", caption: "From the thesis's public tables.", rows: inMode("training"), simulated: false }),
      thesisEnergies({ id: "thesis-predicted", title: "Predicted energy of inference", caption: "All 18 networks, with the bundled models.", rows: objects(body, "predicted_networks"), simulated }),
    ),
    points.length > 0 && h("h2", null, "Energy over the clock, A30"),
    thesisU(points, simulated, context),
    h("div", { class: "columns" }, thesisClockCharts(points, simulated)),
    held.length > 0 && h("h2", null, "Held-out networks"),
    held.length > 0 && scoresTable(held, "thesis-held-out", simulated),
  );
};

function summary(body: JsonObject, claims: readonly JsonObject[]): HTMLElement {
  const verdicts = claims.map(verdictOf);
  const many = (word: string) => count(verdicts.filter((each) => each === word).length);
  const latency = object(body, "latency");
  return facts([
    { label: "hold exactly", value: many("exactly"), note: `of ${claims.length} claims` },
    { label: "hold approximately", value: many("approximately") },
    { label: "do not hold", value: many("no") },
    { label: "not checked", value: many("not checked"), ...(text(body, "tables") === null ? { note: "the measured tables are missing" } : {}) },
    ...(latency === null ? [] : [
      { label: "time to prepare 18 networks", value: si(num(latency, "prepare_seconds"), "s") },
      { label: "time to predict one clock", value: si(num(latency, "predict_seconds"), "s") },
      { label: "time to load the models", value: si(num(latency, "load_seconds"), "s") },
    ]),
  ]);
}

function operationsTable(rows: readonly JsonObject[], simulated: boolean): readonly HTMLElement[] {
  if (rows.length === 0) return [];
  const score = (quantity: string, key: string) => (row: JsonObject) => num(object(row, quantity), key);
  return [
    h("h2", null, "Operations, tables 5.1 to 5.4"),
    table({
      label: "Scores of operations", rows, csvName: "thesis-operations", simulated,
      columns: [
        { key: "device", label: "device" },
        { key: "mode", label: "mode" },
        { key: "precision", label: "precision" },
        { key: "method", label: "method", value: (row) => text(row, "method")?.replaceAll("_", " ") ?? unknown },
        { key: "rows", label: "rows", format: (value) => count(value) },
        { key: "time_r_squared", label: "R² of time", value: score("time", "r_squared"), format: (value) => number(value) },
        { key: "time_mape", label: "MAPE of time", value: score("time", "mape"), format: (value) => percent(value) },
        { key: "power_r_squared", label: "R² of power", value: score("power", "r_squared"), format: (value) => number(value) },
        { key: "power_mape", label: "MAPE of power", value: score("power", "mape"), format: (value) => percent(value) },
      ],
    }),
  ];
}
