// View of ergon.devices.validate and ergon.devices.calibrate.

import { h } from "../base/dom";
import { percent } from "../base/format";
import { facts } from "../charts/facts";
import { objects, texts } from "../documents/document";
import type { View } from "../documents/views";
import { accuracyChart, accuracyRows, accuracyTable } from "./accuracy";

const quantities = ["time", "power", "energy"] as const;

export const validateView: View = ({ body, schema }) => {
  const found = accuracyRows(objects(body, "twins"));
  const left = texts(body, "not_compared");
  return h(
    "section",
    null,
    h("h2", null, schema.includes("calibrate") ? "Calibrated twins" : "Accuracy of twins"),
    facts(
      quantities.map((quantity) => {
        const errors = found.filter((row) => row.quantity === quantity && row.mape_held_out !== null);
        return { label: `median MAPE of ${quantity}, held out`, value: percent(median(errors.map(({ mape_held_out }) => mape_held_out ?? 0))), note: `${errors.length} tables` };
      }),
    ),
    found.length > 0 && [accuracyChart("validate-accuracy", found), accuracyTable(found)],
    left.length > 0 && [h("h3", null, "Not compared"), h("ul", null, left.map((line) => h("li", null, line)))],
  );
};

function median(values: readonly number[]): number | null {
  const order = [...values].sort((a, b) => a - b);
  const middle = order.length / 2;
  if (order.length === 0) return null;
  return order.length % 2 === 1 ? (order[Math.floor(middle)] ?? null) : ((order[middle - 1] ?? 0) + (order[middle] ?? 0)) / 2;
}
