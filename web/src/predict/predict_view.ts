// View of ergon.predict: time, power and energy of a network, and their dependence on the clock.

import { h } from "../base/dom";
import { bytes, clock, count, percent, unknown } from "../base/format";
import { facts } from "../charts/facts";
import type { JsonObject } from "../documents/document";
import { flag, num, text } from "../documents/document";
import type { View } from "../documents/views";
import { warnings } from "../documents/warnings";
import { operationCosts, readOperationCosts } from "../networks/operation_costs";
import { explorer } from "./explorer";
import { requestedPoint, predictedCurves } from "./prediction";
import { pointFacts } from "./point_facts";

const sourceNotes: Readonly<Record<string, string>> = {
  learned: "from measured rows of this device", calibrated: "twin adjusted by a few measured rows", twin: "twin only",
};

export const predictView: View = ({ body, simulated }, context) => {
  const requested = requestedPoint(body);
  const curves = predictedCurves(body);
  const operations = readOperationCosts(body);
  const setting = `batch ${count(num(body, "batch"))}, ${text(body, "precision") ?? unknown}, ${clock(num(body, "clock_hertz"))}`;
  return h(
    "section",
    null,
    h("h2", null, `${text(body, "network") ?? "A network"} on ${text(body, "device") ?? "a device"}, ${text(body, "mode") ?? unknown}`),
    background(body),
    warnings(body),
    curves.length > 0
      ? explorer(curves, requested, simulated, context)
      : [
          requested && pointFacts(requested, null),
          h("p", null, "The document has no curves. Add them with: ergon predict --curves"),
        ],
    operations.length > 0 && operationCosts({
      id: "predict-operations", caption: `At ${setting}. Sum over all operations of a type; all types together are one iteration.`, operations, simulated,
    }),
  );
};

function background(body: JsonObject): HTMLElement {
  const source = text(body, "source") ?? unknown;
  const limited = flag(body, "clock_limited");
  const held = flag(body, "power_limit_held");
  return facts([
    { label: "source", value: source, ...(sourceNotes[source] === undefined ? {} : { note: sourceNotes[source] }) },
    ...(source === "learned" ? [{ label: "measured operations", value: percent(num(body, "measured_operations_share"), 0), note: "of the time" }] : []),
    { label: "request", value: `batch ${count(num(body, "batch"))}`, note: `${text(body, "precision") ?? unknown}, ${clock(num(body, "clock_hertz"))}` },
    { label: "power limit", value: held === null ? unknown : held ? "held" : "exceeded", note: limited === null ? unknown : limited ? "reduces the clock" : "does not limit the clock" },
    { label: "launch host", value: text(body, "host") ?? unknown, ...(flag(body, "host_bound") ? { note: "host-bound" } : {}) },
    { label: "memory", value: bytes(num(body, "memory_bytes")) },
  ]);
}
