// Current readings of one device, and its power over the last ten minutes.

import type { Gauge } from "../api/types";
import { h, replaceChildren } from "../base/dom";
import { bytes, clock, energy, known, percent, unknown, withUnit } from "../base/format";
import { badge } from "../charts/chart";
import { refreshWhenIdle } from "../charts/refresh_when_idle";
import type { PowerReading } from "./gauge_history";
import { gaugeHistory } from "./gauge_history";
import { powerLine } from "./power_line";

export interface GaugeCard {
  element: HTMLElement;
  show: (gauge: Gauge, history: readonly PowerReading[]) => void;
}

export function gaugeCard(first: Gauge): GaugeCard {
  let now = first;
  let readings: readonly PowerReading[] = [];
  const power = powerLine(first);
  const values = h("dl", { class: "fields" });
  const figure = gaugeHistory(first, () => readings, () => now.power_limit_watts);
  const show = (gauge: Gauge, history: readonly PowerReading[]) => {
    now = gauge;
    readings = history;
    power.show(gauge);
    replaceChildren(values, rowsOf(gauge).map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))));
    refreshWhenIdle(figure);
  };
  const element = h(
    "article",
    { class: "gauge", "data-gauge": first.id, "aria-label": `${first.id}, ${first.name}` },
    h("div", { class: "job-head" }, h("h3", null, first.id), h("span", { class: "quiet-text" }, first.name), first.simulated && badge()),
    power.element,
    values,
    figure,
  );
  show(first, []);
  return { element, show };
}

function rowsOf(gauge: Gauge): readonly (readonly [string, string])[] {
  const use = gauge.utilization;
  const memory = known(gauge.memory_used_bytes) || known(gauge.memory_total_bytes)
    ? `${bytes(gauge.memory_used_bytes)} of ${bytes(gauge.memory_total_bytes)}`
    : unknown;
  return [
    ["core clock", clock(gauge.clock_hertz)],
    ["memory clock", clock(gauge.memory_clock_hertz)],
    ["temperature", withUnit(gauge.temperature_celsius, "°C", 3)],
    ["utilization", percent(use?.compute, 0)],
    ["memory utilization", percent(use?.memory, 0)],
    ["memory used", memory],
    ["energy counter", energy(gauge.energy_joules)],
    ["event reasons", reasons(gauge.event_reasons)],
  ];
}

// Null: not supported by the device.
function reasons(names: readonly string[] | null): string {
  if (names === null) return unknown;
  return names.length === 0 ? "none" : names.map((name) => name.replaceAll("_", " ")).join(", ");
}
