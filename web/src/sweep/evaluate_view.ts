// View of ergon.sweep.evaluate: effect of the clock on time, power and energy.

import { h } from "../base/dom";
import { change, clockMhz, count, number, percent } from "../base/format";
import { facts } from "../charts/facts";
import type { JsonObject } from "../documents/document";
import { num, object, objects, text } from "../documents/document";
import type { View } from "../documents/views";
import { correlations } from "./correlations";
import type { Curve } from "./curves";
import { curves } from "./curves";
import { points, sweptNetworks } from "./evaluation";
import { networksTable } from "./networks_table";
import { optima } from "./optima";
import { relativeTime } from "./relative_time";
import { hasTrends, trends } from "./trends";
import { variance } from "./variance";

const time: Curve = { id: "sweep-time", quantity: "time_seconds", title: "Time per inference over the clock", label: "time", unit: "s", series: 0 };
const power: Curve = { id: "sweep-power", quantity: "power_watts", title: "Power over the clock", label: "power", unit: "W", series: 1 };
const energy: Curve = { id: "sweep-energy", quantity: "energy_joules", title: "Energy per inference over the clock", label: "energy", unit: "J", series: 2 };

export const evaluateView: View = ({ body, simulated }) => {
  const networks = sweptNetworks(body);
  const pointed = networks.filter((network) => points(network, "time_seconds").length > 0);
  const trended = networks.filter(hasTrends);
  const powerTitle = text(body, "power") === "max" ? "Max power over the clock" : "Mean power over the clock";
  return h(
    "section",
    null,
    h("h2", null, `Sweep of ${networks.length} ${networks.length === 1 ? "network" : "networks"}`),
    summary(body),
    conclusions(body),
    h("div", { class: "columns" }, correlations(networks, simulated), optima(networks, simulated)),
    variance(body, simulated),
    h("h2", null, "Networks"),
    networksTable(networks, simulated),
    pointed.length > 0
      ? [curves(pointed, simulated, time), curves(pointed, simulated, { ...power, title: powerTitle }), relativeTime(pointed, simulated), curves(pointed, simulated, energy)]
      : trended.length > 0
        ? [time, { ...power, title: powerTitle }, energy].map((curve) => trends(trended, simulated, curve))
        : h("p", null, "The document has no points. Add them with: ergon sweep evaluate --points"),
  );
};

function summary(body: JsonObject): HTMLElement {
  const medians = object(body, "medians");
  return facts([
    { label: "runs", value: count(num(body, "runs")) },
    { label: "clock of min energy, median", value: clockMhz(num(medians, "best_energy_clock_mhz")) },
    { label: "energy saved there", value: percent(num(medians, "energy_saving")), note: "relative to the highest clock" },
    { label: "slowdown there", value: change(num(medians, "time_cost")) },
    { label: "knee of power, median", value: clockMhz(num(medians, "knee_mhz")) },
    { label: "r of power and clock, median", value: number(num(medians, "r_power_clock")) },
    { label: "r of time and clock, median", value: number(num(medians, "r_time_clock")) },
  ]);
}

function conclusions(body: JsonObject): HTMLElement | null {
  const found = objects(body, "conclusions");
  if (found.length === 0) return null;
  return h("ol", { class: "lead" }, found.map((answer) => h("li", null, text(answer, "text"))));
}
