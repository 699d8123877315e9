// The view of ergon.allocate.gpu/1: would it pay to change a GPU's clock between operations?

import type { Column } from "../base/columns";
import { h } from "../base/dom";
import { clock, count, percent, si, unknown, withUnit } from "../base/format";
import type { Fact } from "../charts/facts";
import { facts } from "../charts/facts";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { flag, num, objects, text } from "../documents/document";
import type { View } from "../documents/views";
import { gpuClock, operationColumns, operationsOf } from "./gpu_clock";
import { gpuRuns } from "./gpu_runs";
import { schemesChart } from "./schemes_chart";

const columns: readonly Column<JsonObject>[] = [
  { key: "scheme", label: "scheme" },
  { key: "energy_ratio", label: "energy", format: (value) => percent(value, 2) },
  { key: "time_ratio", label: "time", format: (value) => percent(value, 2) },
  { key: "energy_joules", label: "energy of an iteration", format: (value) => si(value, "J", 4) },
  { key: "time_seconds", label: "time of an iteration", format: (value) => si(value, "s", 4) },
  { key: "changes", label: "changes of clock", format: (value) => count(value) },
  { key: "distinct_clocks", label: "clocks used", format: (value) => count(value) },
  { key: "lower_bound_energy_joules", label: "least possible", align: "right", value: (row) => num(row, "lower_bound_energy_joules") ?? "", format: (value) => si(value, "J", 4) },
];

export const gpuView: View = ({ body, simulated }) => {
  const schemes = objects(body, "schemes");
  const scheme = text(body, "scheme") ?? unknown;
  const highest = num(body, "clock_highest_hertz");
  const operations = operationsOf(body);
  return h(
    "section",
    null,
    h("h2", null, `${text(body, "network") ?? unknown} on ${text(body, "device") ?? unknown}: ${scheme}`),
    h(
      "p",
      { class: "lead" },
      `${text(body, "mode") ?? unknown}, batch ${count(num(body, "batch"))}, ${text(body, "precision") ?? unknown}; ${count(num(body, "clocks"))} clocks from ` +
        `${clock(num(body, "clock_lowest_hertz"))} to ${clock(highest)}${flag(body, "clock_limited") === true ? ", as far as the power limit lets it" : ""}, ` +
        `at ${withUnit(num(body, "temperature_celsius"), "°C", 3)}.`,
    ),
    gpuFacts(body, schemes.find((each) => text(each, "scheme") === scheme) ?? null),
    schemesChart({
      id: "allocate-gpu-schemes",
      caption: "Energy and time of an iteration relative to the highest clock (rti), changes of clock included, except ideal's. Down and left is better.",
      slack: num(body, "slack"),
      simulated,
      schemes: schemes.map((each) => ({ name: text(each, "scheme") ?? "unnamed", energy: num(each, "energy_ratio"), promised: null, time: num(each, "time_ratio") })),
    }),
    table({ label: "Schemes", columns, rows: schemes, csvName: "allocate-gpu-schemes", simulated }),
    gpuClock(operations, scheme, highest, simulated),
    gpuRuns(body, highest, simulated),
    h("h3", null, "Operations"),
    table({ label: "Operations of the schedule", columns: operationColumns, rows: operations, csvName: "allocate-gpu-operations", simulated }),
  );
};

function gpuFacts(body: JsonObject, chosen: JsonObject | null): HTMLElement {
  const ratio = num(chosen, "energy_ratio");
  const even = num(body, "break_even_switch_seconds");
  const slack = num(body, "slack");
  const entries: Fact[] = [
    { label: "energy saved", value: ratio === null ? unknown : percent(1 - ratio), note: "against the highest clock" },
    { label: "time of an iteration", value: si(num(chosen, "time_seconds"), "s", 4), note: `allowed ${si(num(body, "time_allowed_seconds"), "s", 4)}${slack === null ? "" : ` (+${percent(slack)})`}` },
    { label: "energy of an iteration", value: si(num(chosen, "energy_joules"), "J", 4) },
    { label: "changes of clock", value: count(num(chosen, "changes")) },
    { label: "a change takes", value: si(num(body, "switch_seconds"), "s"), note: `the GPU's own ${si(num(body, "switch_device_seconds"), "s")}, ${si(num(body, "switch_power_watts"), "W")}` },
    {
      label: "changes pay below", value: even === null ? "never" : si(even, "s"),
      note: `to save ${percent(num(body, "saving_wanted"), 0)} of one clock's energy; ${percent(num(body, "saving_at_shortest"))} at ${si(num(body, "shortest_switch_seconds"), "s")}`,
    },
  ];
  return facts(entries);
}
