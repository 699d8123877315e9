// One device as it is now: power and its limit, clock, temperature, use, and power over the last ten minutes.

import type { Gauge } from "../api/types";
import { h, replaceChildren } from "../base/dom";
import { bytes, clock, known, number, percent, si, unknown, withUnit } from "../base/format";
import { badge } from "../charts/chart";
import { refreshGently } from "../charts/refresh_gently";
import type { Reading } from "./gauge_history";
import { gaugeHistory } from "./gauge_history";

export interface GaugeCard {
  element: HTMLElement;
  show: (gauge: Gauge, history: readonly Reading[]) => void;
}

export function gaugeCard(first: Gauge): GaugeCard {
  let now = first;
  let readings: readonly Reading[] = [];
  const meter = h("meter", { min: 0, "aria-label": `Power of ${first.id}` });
  const power = h("strong", { class: "gauge-power" });
  const limit = h("span", { class: "quiet-text" });
  const values = h("dl", { class: "fields" });
  const figure = gaugeHistory(first, () => readings, () => now.power_limit_watts);
  const show = (gauge: Gauge, history: readonly Reading[]) => {
    now = gauge;
    readings = history;
    power.textContent = withUnit(gauge.power_watts, "W");
    limit.textContent = `limit ${withUnit(gauge.power_limit_watts, "W")}`;
    const measurable = known(gauge.power_watts) && known(gauge.power_limit_watts) && gauge.power_limit_watts > 0;
    meter.hidden = !measurable;
    if (measurable) {
      meter.max = gauge.power_limit_watts ?? 1;
      meter.value = gauge.power_watts ?? 0;
    }
    replaceChildren(values, rowsOf(gauge).map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))));
    refreshGently(figure);
  };
  const element = h(
    "article",
    { class: "gauge", "data-gauge": first.id, "aria-label": `${first.id}, ${first.name}` },
    h("div", { class: "job-head" }, h("h3", null, first.id), h("span", { class: "quiet-text" }, first.name), first.simulated && badge()),
    h("div", { class: "gauge-line" }, power, meter, limit),
    values,
    figure,
  );
  show(first, []);
  return { element, show };
}

function rowsOf(gauge: Gauge): readonly (readonly [string, string])[] {
  const use = gauge.utilisation;
  const memory = known(gauge.memory_used_bytes) || known(gauge.memory_total_bytes)
    ? `${bytes(gauge.memory_used_bytes)} of ${bytes(gauge.memory_total_bytes)}`
    : unknown;
  return [
    ["clock", clock(gauge.clock_hertz)],
    ["memory clock", clock(gauge.memory_clock_hertz)],
    ["temperature", withUnit(gauge.temperature_celsius, "°C", 3)],
    ["busy", percent(use?.compute, 0)],
    ["memory busy", percent(use?.memory, 0)],
    ["memory used", memory],
    ["energy so far", energy(gauge.energy_joules)],
    ["clock events", reasons(gauge.event_reasons)],
  ];
}

function energy(joules: number | null): string {
  return known(joules) && joules >= 3.6e5 ? `${number(joules / 3.6e6)} kWh` : si(joules, "J");
}

// Null: the device does not tell.
function reasons(names: readonly string[] | null): string {
  if (names === null) return unknown;
  return names.length === 0 ? "none" : names.map((name) => name.replaceAll("_", " ")).join(", ");
}
