// Current power, clock, temperature and utilization of one device.

import type { Gauge } from "../api/types";
import { h, replaceChildren } from "../base/dom";
import { clock, percent, withUnit } from "../base/format";
import { linkTo } from "../base/router";
import { badge } from "../charts/chart";
import type { Card } from "../devices/cards";
import { powerLine } from "../devices/power_line";

export function deviceCard(first: Gauge): Card {
  const power = powerLine(first);
  const values = h("dl", { class: "fields" });
  const state = h("p", { class: "caption", hidden: true }, "The device does not respond.");
  const show = (gauge: Gauge) => {
    power.show(gauge);
    state.hidden = gauge.responding;
    const rows = [
      ["core clock", clock(gauge.clock_hertz)],
      ["temperature", withUnit(gauge.temperature_celsius, "°C", 3)],
      ["utilization", percent(gauge.utilization?.compute, 0)],
    ];
    replaceChildren(values, rows.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))));
  };
  const element = h(
    "article",
    { class: "gauge", "data-device": first.id, "aria-label": `${first.id}, ${first.name}` },
    h("div", { class: "job-head" }, h("h3", null, h("a", { href: linkTo("devices") }, first.id)), h("span", { class: "quiet-text" }, first.name), first.simulated && badge()),
    power.element,
    values,
    state,
  );
  return { element, show };
}
