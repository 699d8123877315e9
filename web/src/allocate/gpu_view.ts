// View of ergon.allocate.gpu: clock of every operation on a GPU.

import type { Column } from "../base/columns";
import { h } from "../base/dom";
import { clock, count, percent, si, unknown, withUnit } from "../base/format";
import type { Fact } from "../charts/facts";
import { facts } from "../charts/facts";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { flag, num, objects, text, texts } from "../documents/document";
import type { View } from "../documents/views";
import { warnings } from "../documents/warnings";
import { gpuClock, operationColumns, operationsOf } from "./gpu_clock";
import { gpuRuns } from "./gpu_runs";
import { schemesChart } from "./schemes_chart";

const columns: readonly Column<JsonObject>[] = [
  { key: "scheme", label: "scheme" },
  { key: "energy_ratio", label: "energy", format: (value) => percent(value, 2) },
  { key: "time_ratio", label: "time", format: (value) => percent(value, 2) },
  { key: "energy_joules", label: "energy per iteration", format: (value) => si(value, "J", 4) },
  { key: "time_seconds", label: "time per iteration", format: (value) => si(value, "s", 4) },
  { key: "switches", label: "switches", format: (value) => count(value) },
  { key: "distinct_clocks", label: "clocks used", format: (value) => count(value) },
  { key: "lower_bound_energy_joules", label: "lower bound", align: "right", value: (row) => num(row, "lower_bound_energy_joules") ?? "", format: (value) => si(value, "J", 4) },
];

export const gpuView: View = ({ body, simulated }) => {
  const schemes = objects(body, "schemes");
  const scheme = text(body, "scheme") ?? unknown;
  const highest = num(body, "clock_max_hertz");
  const operations = operationsOf(body);
  return h(
    "section",
    null,
    h("h2", null, `${text(body, "network") ?? unknown} on ${text(body, "device") ?? unknown}: ${scheme}`),
    h(
      "p",
      { class: "lead" },
      `${text(body, "mode") ?? unknown}, batch ${count(num(body, "batch"))}, ${text(body, "precision") ?? unknown}; ${count(num(body, "clocks"))} clocks from ` +
        `${clock(num(body, "clock_min_hertz"))} to ${clock(highest)}${flag(body, "clock_limited") === true ? ", limited by the power limit" : ""}, ` +
        `at ${withUnit(num(body, "temperature_celsius"), "°C", 3)}.`,
    ),
    warnings(body),
    texts(body, "notes").map((note) => h("p", { class: "caption" }, note)),
    gpuFacts(body, schemes.find((each) => text(each, "scheme") === scheme) ?? null),
    schemesChart({
      id: "allocate-gpu-schemes",
      caption: "Relative to the highest clock (rti), including clock switches, except for ideal. Lower left is better.",
      slack: num(body, "slack"),
      simulated,
      schemes: schemes.map((each) => ({ name: text(each, "scheme") ?? "unnamed", energy: num(each, "energy_ratio"), planned: null, time: num(each, "time_ratio") })),
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
    { label: "energy saved", value: ratio === null ? unknown : percent(1 - ratio), note: "relative to the highest clock" },
    { label: "time per iteration", value: si(num(chosen, "time_seconds"), "s", 4), note: `max ${si(num(body, "time_allowed_seconds"), "s", 4)}${slack === null ? "" : ` (+${percent(slack)})`}` },
    { label: "energy per iteration", value: si(num(chosen, "energy_joules"), "J", 4) },
    { label: "switches", value: count(num(chosen, "switches")) },
    { label: "switch time", value: si(num(body, "switch_seconds"), "s"), note: `of the GPU ${si(num(body, "switch_device_seconds"), "s")}, ${si(num(body, "switch_power_watts"), "W")}` },
    {
      label: "break-even switch time", value: even === null ? "never" : si(even, "s"),
      note: `to save ${percent(num(body, "min_saving"), 0)} compared with one clock; ${percent(num(body, "saving_at_shortest"))} at ${si(num(body, "shortest_switch_seconds"), "s")}`,
    },
  ];
  return facts(entries);
}
