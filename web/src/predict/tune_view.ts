// The view of ergon.tune/1: the clock, batch, limit and device that cost least, and what they save.

import type { Column } from "../base/columns";
import { h } from "../base/dom";
import { clock, interval, number, percent, si, unknown } from "../base/format";
import type { Fact } from "../charts/facts";
import { facts } from "../charts/facts";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { num, object, text } from "../documents/document";
import type { View } from "../documents/views";
import { choicesChart } from "./choices_chart";
import { latencyChart } from "./latency_chart";
import { paretoChart } from "./pareto_chart";
import { pointColumns, pointText } from "./point_columns";
import type { OperatingPoint, TunedDevice } from "./tuning";
import { latencySteps, operatingPoint, paretoPoints, tunedDevices } from "./tuning";

const columns: readonly Column<TunedDevice>[] = [
  { key: "device", label: "device" },
  { key: "choice", label: "choice", value: ({ choice }) => (choice ? pointText(choice) : null) },
  { key: "energy_per_sample_joules", label: "energy of a sample", value: ({ choice }) => choice?.energy, format: (value) => si(value, "J") },
  { key: "time_seconds", label: "latency", value: ({ choice }) => choice?.time, format: (value) => si(value, "s") },
  { key: "power_watts", label: "power", value: ({ choice }) => choice?.power, format: (value) => si(value, "W") },
  { key: "default_energy_per_sample_joules", label: "default's energy", value: ({ usual }) => usual?.energy, format: (value) => si(value, "J") },
  { key: "energy_saving", label: "energy saved", value: ({ saving }) => saving, format: (value) => percent(value) },
  { key: "blocked_by", label: "blocked by", value: ({ blockedBy }) => blockedBy ?? "nothing" },
  { key: "candidates", label: "points tried" },
  { key: "remarks", label: "remarks", value: ({ warnings, leftOut }) => [...warnings, ...leftOut].join("; ") },
];

export const tuneView: View = ({ body, simulated }) => {
  const choice = operatingPoint(object(body, "choice"));
  const devices = tunedDevices(body);
  const points = paretoPoints(body);
  return h(
    "section",
    null,
    h("h2", null, `Tuning ${text(body, "network") ?? "a network"}, ${text(body, "mode") ?? unknown}, ${text(body, "precision") ?? unknown}: least ${text(body, "objective") ?? "energy"}`),
    boundsText(body),
    choice ? facts(choiceFacts(choice, body)) : h("p", { class: "problem" }, "No operating point keeps the bounds."),
    h("div", { class: "columns" }, choicesChart(devices, simulated), latencyChart(latencySteps(body), simulated)),
    paretoChart({ points, choice, usual: operatingPoint(object(body, "default")) }, body, simulated),
    h("h2", null, "Devices"),
    table({ label: "Choice on each device", columns, rows: devices, csvName: "tuned-devices", simulated }),
    points.length > 0 && h("h2", null, "Best trades"),
    points.length > 0 && table({ label: "Operating points that nothing beats", columns: pointColumns, rows: points, csvName: "tune-pareto-points", simulated }),
  );
};

function choiceFacts(choice: OperatingPoint, body: JsonObject): Fact[] {
  return [
    { label: "device", value: choice.device, note: `predicted by: ${choice.regime}` },
    { label: "clock", value: clock(choice.clock), note: choice.ownClock ? "the GPU's own" : "set" },
    { label: "batch", value: number(choice.batch) },
    { label: "power limit", value: si(choice.limit, "W"), note: choice.limitIsUsual ? "the usual one" : "set" },
    { label: "latency", value: si(choice.time, "s"), interval: interval(choice.timeInterval.low, choice.timeInterval.high, (end) => si(end, "s")) },
    { label: "power", value: si(choice.power, "W"), interval: interval(choice.powerInterval.low, choice.powerInterval.high, (end) => si(end, "W")) },
    { label: "energy of a sample", value: si(choice.energy, "J"), interval: interval(choice.energyInterval.low, choice.energyInterval.high, (end) => si(end, "J")) },
    { label: "energy saved", value: percent(num(body, "energy_saving")), note: "against the same batch at default settings" },
    { label: "energy saved", value: percent(num(body, "energy_saving_to_best_default")), note: "against the best default settings" },
    ...(choice.price === null ? [] : [{ label: "price of a million samples", value: number(choice.price * 1e6) }]),
    ...(choice.carbon === null ? [] : [{ label: "CO₂ of a million samples", value: si(choice.carbon * 1e6, "g") }]),
  ];
}

function boundsText(body: JsonObject): HTMLElement | null {
  const bounds = object(body, "bounds");
  const [latency, speed, power] = [num(bounds, "latency_seconds"), num(bounds, "samples_per_second"), num(bounds, "power_watts")];
  const parts = [
    latency === null ? null : `latency at most ${si(latency, "s")}`,
    speed === null ? null : `at least ${number(speed)} samples a second`,
    power === null ? null : `at most ${si(power, "W")}`,
  ].filter((part) => part !== null);
  return h("p", null, parts.length === 0 ? "Without bounds." : `Bounds: ${parts.join(", ")}.`);
}
