// View of ergon.tune: the best operating point and its saving.

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
  { key: "energy_per_sample_joules", label: "energy per sample", value: ({ choice }) => choice?.energy, format: (value) => si(value, "J") },
  { key: "time_seconds", label: "latency", value: ({ choice }) => choice?.time, format: (value) => si(value, "s") },
  { key: "power_watts", label: "power", value: ({ choice }) => choice?.power, format: (value) => si(value, "W") },
  { key: "default_energy_per_sample_joules", label: "default energy per sample", value: ({ defaultPoint }) => defaultPoint?.energy, format: (value) => si(value, "J") },
  { key: "energy_saving", label: "energy saved", value: ({ saving }) => saving, format: (value) => percent(value) },
  { key: "blocked_by", label: "blocked by", value: ({ blockedBy }) => blockedBy ?? "none" },
  { key: "candidates", label: "points evaluated" },
  { key: "remarks", label: "remarks", value: ({ warnings, excluded }) => [...warnings, ...excluded].join("; ") },
];

export const tuneView: View = ({ body, simulated }) => {
  const choice = operatingPoint(object(body, "choice"));
  const devices = tunedDevices(body);
  const points = paretoPoints(body);
  return h(
    "section",
    null,
    h("h2", null, `Tuning ${text(body, "network") ?? "a network"}, ${text(body, "mode") ?? unknown}, ${text(body, "precision") ?? unknown}: min ${text(body, "objective") ?? "energy"}`),
    boundsText(body),
    choice ? facts(choiceFacts(choice, body)) : h("p", { class: "problem" }, "No operating point meets the bounds."),
    h("div", { class: "columns" }, choicesChart(devices, simulated), latencyChart(latencySteps(body), simulated)),
    paretoChart({ points, choice, defaultPoint: operatingPoint(object(body, "default")) }, body, simulated),
    h("h2", null, "Devices"),
    table({ label: "Choice on each device", columns, rows: devices, csvName: "tuned-devices", simulated }),
    points.length > 0 && h("h2", null, "Pareto front"),
    points.length > 0 && table({ label: "Pareto front", columns: pointColumns, rows: points, csvName: "tune-pareto-points", simulated }),
  );
};

function choiceFacts(choice: OperatingPoint, body: JsonObject): Fact[] {
  return [
    { label: "device", value: choice.device, note: `source: ${choice.source}` },
    { label: "clock", value: clock(choice.clock), note: choice.defaultClock ? "default" : "locked" },
    { label: "batch", value: number(choice.batch) },
    { label: "power limit", value: si(choice.limit, "W"), note: choice.limitIsDefault ? "default" : "set" },
    { label: "latency", value: si(choice.time, "s"), interval: interval(choice.timeInterval.low, choice.timeInterval.high, (end) => si(end, "s")) },
    { label: "power", value: si(choice.power, "W"), interval: interval(choice.powerInterval.low, choice.powerInterval.high, (end) => si(end, "W")) },
    { label: "energy per sample", value: si(choice.energy, "J"), interval: interval(choice.energyInterval.low, choice.energyInterval.high, (end) => si(end, "J")) },
    { label: "energy saved", value: percent(num(body, "energy_saving")), note: "relative to the same batch at default settings" },
    { label: "energy saved", value: percent(num(body, "energy_saving_to_best_default")), note: "relative to the best default settings" },
    ...(choice.price === null ? [] : [{ label: "price per million samples", value: number(choice.price * 1e6) }]),
    ...(choice.carbon === null ? [] : [{ label: "CO₂ per million samples", value: si(choice.carbon * 1e6, "g") }]),
  ];
}

function boundsText(body: JsonObject): HTMLElement | null {
  const bounds = object(body, "bounds");
  const [latency, speed, power] = [num(bounds, "latency_seconds"), num(bounds, "samples_per_second"), num(bounds, "power_watts")];
  const parts = [
    latency === null ? null : `max latency ${si(latency, "s")}`,
    speed === null ? null : `min ${number(speed)} samples/s`,
    power === null ? null : `max power ${si(power, "W")}`,
  ].filter((part) => part !== null);
  return h("p", null, parts.length === 0 ? "No bounds." : `Bounds: ${parts.join(", ")}.`);
}
