// The view of ergon.predict/1: what a network will cost on a device, and how the clock changes it.

import { h } from "../base/dom";
import { bytes, clock, count, percent, unknown } from "../base/format";
import { facts } from "../charts/facts";
import type { JsonObject } from "../documents/document";
import { flag, num, text, texts } from "../documents/document";
import type { View } from "../documents/views";
import { operationCosts, readOperationCosts } from "../networks/operation_costs";
import { explorer } from "./explorer";
import { askedPoint, forecastCurves } from "./forecast";
import { pointFacts } from "./point_facts";

const regimes: Readonly<Record<string, string>> = {
  learned: "from measured rows of this device", calibrated: "the twin, moved by a few rows", twin: "the twin alone",
};

export const predictView: View = ({ body, simulated }, context) => {
  const asked = askedPoint(body);
  const curves = forecastCurves(body);
  const operations = readOperationCosts(body);
  const setting = `batch ${count(num(body, "batch"))}, ${text(body, "precision") ?? unknown}, ${clock(num(body, "clock_hertz"))}`;
  return h(
    "section",
    null,
    h("h2", null, `${text(body, "network") ?? "A network"} on ${text(body, "device") ?? "a device"}, ${text(body, "mode") ?? unknown}`),
    background(body),
    texts(body, "warnings").map((warning) => h("p", { class: "problem" }, warning)),
    curves.length > 0
      ? explorer(curves, asked, simulated, context)
      : [
          asked && pointFacts(asked, null),
          h("p", null, "The document has no curves over the clock: ergon predict --curves adds them."),
        ],
    operations.length > 0 && operationCosts({
      id: "predict-operations", caption: `At ${setting}, as asked for. All runs of a kind together; they sum to the iteration.`, operations, simulated,
    }),
  );
};

function background(body: JsonObject): HTMLElement {
  const regime = text(body, "regime") ?? unknown;
  const limited = flag(body, "clock_limited");
  const kept = flag(body, "limit_kept");
  return facts([
    { label: "predicted by", value: regime, ...(regimes[regime] === undefined ? {} : { note: regimes[regime] }) },
    ...(regime === "learned" ? [{ label: "known operations", value: percent(num(body, "known_operations_share"), 0), note: "of the time; each was measured by itself" }] : []),
    { label: "asked for", value: `batch ${count(num(body, "batch"))}`, note: `${text(body, "precision") ?? unknown}, ${clock(num(body, "clock_hertz"))}` },
    { label: "power limit", value: kept === null ? unknown : kept ? "kept" : "not kept", note: limited === null ? unknown : limited ? "holds the clock down" : "does not touch the clock" },
    { label: "host", value: text(body, "host") ?? unknown, ...(flag(body, "host_bound") ? { note: "the GPU waits for it" } : {}) },
    { label: "memory", value: bytes(num(body, "memory_bytes")) },
  ]);
}
