// The view of ergon.estimate/1: what a GPU's twin says a network costs.

import { h } from "../base/dom";
import { bytes, clock, count, percent, si, unknown } from "../base/format";
import { facts } from "../charts/facts";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { flag, num, objects, text } from "../documents/document";
import type { View } from "../documents/views";
import { operationCosts, readOperationCosts } from "./operation_costs";

export const estimateView: View = ({ body, simulated }) => {
  const agreement = objects(body, "agreement");
  return h(
    "section",
    null,
    h("h2", null, `${text(body, "network") ?? "A network"} on the twin of ${text(body, "device") ?? "a GPU"}, ${text(body, "mode") ?? unknown}, ${text(body, "precision") ?? unknown}, batch ${count(num(body, "batch"))}`),
    summary(body),
    operationCosts({ id: "estimate-operations", caption: "All runs of a kind together; they sum to the iteration.", operations: readOperationCosts(body), simulated }),
    agreement.length > 0 && h("h2", null, "How this twin meets measured tables"),
    agreement.length > 0 && table({
      label: "Agreement of the twin with measured tables", rows: agreement, csvName: "twin-agreement", simulated,
      columns: [
        { key: "table", label: "table" },
        { key: "quantity", label: "quantity", value: (row) => text(row, "quantity")?.replaceAll("_", " ") },
        { key: "rows_fitted", label: "rows fitted" },
        { key: "mape_fitted", label: "mean error", format: (value) => percent(value) },
        { key: "rows_held_back", label: "rows held back" },
        { key: "mape_held_back", label: "mean error there", format: (value) => percent(value) },
      ],
    }),
  );
};

function summary(body: JsonObject): HTMLElement {
  const kept = flag(body, "power_limit_kept");
  return facts([
    { label: "time", value: si(num(body, "time_seconds"), "s"), note: `${si(num(body, "samples_per_second"), "")} samples a second` },
    { label: "power", value: si(num(body, "power_watts"), "W"), ...(kept === false ? { note: "above the limit" } : {}) },
    { label: "energy", value: si(num(body, "energy_joules"), "J"), note: `${si(num(body, "energy_per_sample_joules"), "J")} a sample` },
    { label: "clock", value: clock(num(body, "clock_hertz")), ...(flag(body, "clock_limited") ? { note: "held down by the power limit" } : {}) },
    { label: "bound by", value: text(body, "bound") ?? unknown },
    { label: "temperature", value: num(body, "temperature_celsius") === null ? unknown : `${(num(body, "temperature_celsius") ?? 0).toFixed(1)} °C` },
    { label: "host", value: si(num(body, "host_seconds"), "s"), note: "to launch it all" },
    { label: "memory", value: bytes(num(body, "memory_bytes")) },
  ]);
}
