// View of ergon.estimate: time, power and energy from a twin.

import { h } from "../base/dom";
import { bytes, clock, count, percent, si, unknown } from "../base/format";
import { facts } from "../charts/facts";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { flag, num, objects, text } from "../documents/document";
import type { View } from "../documents/views";
import { warnings } from "../documents/warnings";
import { operationCosts, readOperationCosts } from "./operation_costs";

export const estimateView: View = ({ body, simulated }) => {
  const accuracy = objects(body, "accuracy");
  return h(
    "section",
    null,
    h("h2", null, `${text(body, "network") ?? "A network"} on the twin of ${text(body, "device") ?? "a GPU"}, ${text(body, "mode") ?? unknown}, ${text(body, "precision") ?? unknown}, batch ${count(num(body, "batch"))}`),
    warnings(body),
    summary(body),
    operationCosts({ id: "estimate-operations", caption: "Sum over all operations of a type; all types together are one iteration.", operations: readOperationCosts(body), simulated }),
    accuracy.length > 0 && h("h2", null, "Accuracy of this twin"),
    accuracy.length > 0 && table({
      label: "AccuracyRow of the twin with measured tables", rows: accuracy, csvName: "twin-accuracy", simulated,
      columns: [
        { key: "table", label: "table" },
        { key: "quantity", label: "quantity", value: (row) => text(row, "quantity")?.replaceAll("_", " ") },
        { key: "rows_fitted", label: "rows fitted" },
        { key: "mape_fitted", label: "MAPE, fitted", format: (value) => percent(value) },
        { key: "rows_held_out", label: "rows held out" },
        { key: "mape_held_out", label: "MAPE, held out", format: (value) => percent(value) },
      ],
    }),
  );
};

function summary(body: JsonObject): HTMLElement {
  const held = flag(body, "power_limit_held");
  return facts([
    { label: "time", value: si(num(body, "time_seconds"), "s"), note: `${si(num(body, "samples_per_second"), "")} samples/s` },
    { label: "power", value: si(num(body, "power_watts"), "W"), ...(held === false ? { note: "above the power limit" } : {}) },
    { label: "energy", value: si(num(body, "energy_joules"), "J"), note: `${si(num(body, "energy_per_sample_joules"), "J")} per sample` },
    { label: "clock", value: clock(num(body, "clock_hertz")), ...(flag(body, "clock_limited") ? { note: "reduced by the power limit" } : {}) },
    { label: "bound", value: text(body, "bound") ?? unknown },
    { label: "temperature", value: num(body, "temperature_celsius") === null ? unknown : `${(num(body, "temperature_celsius") ?? 0).toFixed(1)} °C` },
    { label: "launch overhead", value: si(num(body, "host_seconds"), "s"), note: `of the host${text(body, "host") === null ? "" : ` (${text(body, "host")})`}, per iteration` },
    { label: "memory", value: bytes(num(body, "memory_bytes")) },
  ]);
}
