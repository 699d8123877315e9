// View of ergon.measure: energy of a command, with uncertainty and sources.

import type { Column } from "../base/columns";
import { h } from "../base/dom";
import { clock, duration, percent, si, withUnit } from "../base/format";
import { facts } from "../charts/facts";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { flag, num, object, objects, text, texts } from "../documents/document";
import { genericObject } from "../documents/generic_view";
import type { View } from "../documents/views";
import { sourcesChart } from "./sources_chart";

const joules = (value: number) => si(value, "J");
const columns: readonly Column<JsonObject>[] = [
  { key: "device", label: "device" },
  { key: "name", label: "name" },
  { key: "simulated", label: "simulated", value: (source) => flag(source, "simulated") },
  { key: "energy_joules", label: "energy", format: joules },
  { key: "energy_uncertainty_joules", label: "± (95 %)", format: joules },
  { key: "energy_statistical_joules", label: "± between runs (95 %)", format: joules },
  { key: "mean_power_watts", label: "mean power", unit: "W" },
  { key: "peak_power_watts", label: "peak power", unit: "W" },
  { key: "field", label: "power field" },
  { key: "period_seconds", label: "period", format: (value) => si(value, "s") },
  { key: "samples", label: "readings" },
  { key: "dropped", label: "dropped" },
  { key: "reading_joules", label: "energy from readings", format: joules },
  { key: "counter_joules", label: "energy counter", format: joules },
  { key: "counter_discrepancy", label: "difference", format: (value) => percent(value, 2) },
  { key: "clock_min_hertz", label: "min clock", format: (value) => clock(value) },
  { key: "clock_max_hertz", label: "max clock", format: (value) => clock(value) },
  { key: "temperature_max_celsius", label: "max temperature", unit: "°C" },
  { key: "event_reasons", label: "event reasons", value: (source) => texts(source, "event_reasons").join(", ") },
  { key: "sensor", label: "sensor", value: (source) => text(object(source, "sensor"), "origin") },
];

export const measureView: View = ({ body, simulated }) => {
  const processors = object(body, "processors");
  const controls = objects(body, "controls");
  return h(
    "section",
    null,
    h("h2", null, "Energy of a command"),
    h("p", { class: "lead" }, h("code", null, texts(body, "command").join(" "))),
    energyFacts(body),
    validity(body),
    h("h3", null, "Energy by device"),
    sourcesChart(objects(body, "sources"), simulated, "measure-sources"),
    table({ label: "Sources", columns, rows: objects(body, "sources"), csvName: "measure-sources", simulated }),
    processors && [
      h("h3", null, "Processors"),
      energyFacts(processors),
      validity(processors),
      table({ label: "Processors", columns, rows: objects(processors, "sources"), csvName: "measure-processors", simulated }),
    ],
    controls.length > 0 && [h("h3", null, "Settings during the measurement"), controls.map(genericObject)],
  );
};

function energyFacts(body: JsonObject): HTMLElement {
  const energy = num(body, "energy_joules");
  const uncertainty = num(body, "energy_uncertainty_joules");
  const idle = object(body, "idle");
  const gross = object(body, "gross");
  const net = num(body, "idle_power_watts") !== null; // documents of older versions have no `idle`
  return facts([
    ...(gross === null ? [] : [{ label: "energy", value: si(num(gross, "energy_joules"), "J", 4), interval: `± ${si(num(gross, "energy_uncertainty_joules"), "J")} (95 %)` }]),
    ...(idle === null ? [] : [{ label: "idle energy", value: si(num(idle, "energy_joules"), "J", 4), interval: `± ${si(num(idle, "energy_uncertainty_joules"), "J")} (95 %)`, note: `in the same time, at ${withUnit(num(idle, "power_watts"), "W")}` }]),
    { label: !net ? "energy" : flag(idle, "distinguishable") === false ? "energy above idle, not distinguishable from 0" : "energy above idle", value: si(energy, "J", 4), interval: `± ${si(uncertainty, "J")} (95 %)`, note: `between runs on one board: ± ${si(num(body, "energy_statistical_joules"), "J")}` },
    { label: "duration", value: duration(num(body, "duration_seconds")) },
    { label: !net ? "mean power" : "mean power above idle", value: withUnit(num(body, "mean_power_watts"), "W") },
    { label: !net ? "peak power" : "peak power above idle", value: withUnit(num(body, "peak_power_watts"), "W") },
    ...("exit_code" in body ? [{ label: "exit code", value: num(body, "signal") === null ? String(num(body, "exit_code") ?? "unknown") : `signal ${num(body, "signal")}` }] : []),
  ]);
}

function validity(body: JsonObject): HTMLElement | null {
  const reasons = texts(body, "reasons");
  const notes = texts(body, "notes");
  const valid = flag(body, "valid");
  if (valid !== false && reasons.length + notes.length === 0) return null;
  return h(
    "div",
    null,
    valid === false && h("p", { class: "problem" }, `Invalid: ${reasons.join("; ")}`),
    valid !== false && reasons.length > 0 && h("p", null, reasons.join("; ")),
    notes.length > 0 && h("ul", null, notes.map((note) => h("li", null, note))),
  );
}
