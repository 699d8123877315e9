// Energy since the server started, and power over the last ten minutes. The server stores no longer history. Measured and
// simulated devices are added up separately.

import type { Gauge, Gauges } from "../api/types";
import { h, replaceChildren } from "../base/dom";
import { duration, energy, instant, known, withUnit } from "../base/format";
import type { Fact } from "../charts/facts";
import { facts } from "../charts/facts";
import { powerHistory } from "./power_history";

export interface EnergySection {
  element: HTMLElement;
  show: (gauges: Gauges) => void;
}

export function energySection(): EnergySection {
  const figures = h("div");
  const history = powerHistory();
  const show = (gauges: Gauges) => {
    replaceChildren(figures, facts(energyFacts(gauges)));
    history.show(gauges);
  };
  const element = h(
    "section",
    { "data-section": "energy", hidden: true },
    h("h2", null, "Energy since the server started"),
    figures,
    h("p", { class: "caption" }, "The server counts energy from its start and stores power for ten minutes. For longer periods, scrape /metrics with Prometheus."),
    history.element,
  );
  return { element, show };
}

function energyFacts({ devices, started, time }: Gauges): readonly Fact[] {
  const seconds = (Date.parse(time) - Date.parse(started)) / 1000;
  return [
    ...total("measured devices", devices.filter(({ simulated }) => !simulated)),
    ...total("simulated devices", devices.filter(({ simulated }) => simulated)),
    { label: "counted for", value: duration(seconds), note: `since ${instant(started)}` },
  ];
}

function total(label: string, devices: readonly Gauge[]): readonly Fact[] {
  if (devices.length === 0) return [];
  const counted = devices.flatMap(({ energy_since_start_joules: joules }) => (known(joules) ? [joules] : []));
  const powers = devices.flatMap(({ power_watts: watts }) => (known(watts) ? [watts] : []));
  const sum = (values: readonly number[]) => (values.length === 0 ? null : values.reduce((whole, value) => whole + value, 0));
  const which = counted.length === devices.length ? `${devices.length}` : `${counted.length} of ${devices.length}`;
  return [
    { label: `energy, ${label}`, value: energy(sum(counted)), note: `${which} ${devices.length === 1 ? "device" : "devices"}` },
    { label: `power now, ${label}`, value: withUnit(sum(powers), "W") },
  ];
}
