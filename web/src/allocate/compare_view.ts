// View of ergon.allocate.compare: comparison of all schemes.

import type { Column } from "../base/columns";
import { h } from "../base/dom";
import { count, number, percent, si, unknown } from "../base/format";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { flag, num, object, objects, text } from "../documents/document";
import type { View } from "../documents/views";
import { hardwareLine } from "./hardware";
import { schemesChart } from "./schemes_chart";

const seconds = (value: number) => si(value, "s", 4);
const share = (value: number) => percent(value);
const within = (outer: string, key: string) => (row: JsonObject) => num(object(row, outer), key);

const columns: readonly Column<JsonObject>[] = [
  { key: "scheme", label: "scheme" },
  { key: "energy_ratio", label: "energy", format: share },
  { key: "lower_bound_energy_ratio", label: "lower bound", format: share },
  { key: "gap", label: "gap", unit: "percentage points", format: (value) => number(value * 100) },
  { key: "complete_search", label: "proved", value: (row) => flag(object(row, "proof"), "complete_search") },
  { key: "latency_seconds", label: "planned latency", format: seconds },
  { key: "latency_resimulated_seconds", label: "simulated latency", format: seconds },
  { key: "latency_allowed_seconds", label: "max latency", value: (row) => num(row, "latency_allowed_seconds") ?? "no limit", format: seconds },
  { key: "bandwidth_reduction", label: "bandwidth saved", format: share },
  { key: "switches", label: "switches", format: (value) => count(value) },
  { key: "energy_saving_weighted", label: "array energy saved, weighted", value: within("energy_saving", "energy_weighted"), format: share },
  { key: "energy_saving_layer_mean", label: "array energy saved, layer mean", value: within("energy_saving", "layer_mean"), format: share },
  { key: "energy_saving_eq6_layer_mean", label: "array energy saved, eq. 6", value: within("energy_saving_eq6", "layer_mean"), format: share },
];

export const compareView: View = ({ body, simulated }) => {
  const schemes = objects(body, "schemes");
  return h(
    "section",
    null,
    h("h2", null, `${text(body, "network") ?? unknown}: comparison of schemes`),
    hardwareLine(body),
    schemesChart({
      id: "allocate-schemes",
      caption: "Relative to race to idle (rti). Arrows lead from the planned to the simulated latency. Lower left is better.",
      slack: num(body, "slack"),
      simulated,
      schemes: schemes.map((scheme) => {
        const race = num(scheme, "latency_race_to_idle_seconds");
        const ratio = (key: string) => {
          const value = num(scheme, key);
          return value === null || !race ? null : value / race;
        };
        return { name: text(scheme, "scheme") ?? "unnamed", energy: num(scheme, "energy_ratio"), planned: ratio("latency_seconds"), time: ratio("latency_resimulated_seconds") };
      }),
    }),
    table({ label: "Schemes", columns, rows: schemes, csvName: "allocate-schemes", simulated }),
  );
};
