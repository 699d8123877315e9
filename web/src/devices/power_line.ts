// Power of a device as a number and as a share of its power limit.

import type { Gauge } from "../api/types";
import { h } from "../base/dom";
import { known, withUnit } from "../base/format";

export interface PowerLine {
  element: HTMLElement;
  show: (gauge: Gauge) => void;
}

export function powerLine(first: Gauge): PowerLine {
  const meter = h("meter", { min: 0, "aria-label": `Power of ${first.id}` });
  const power = h("strong", { class: "gauge-power" });
  const limit = h("span", { class: "quiet-text" });
  const show = (gauge: Gauge) => {
    power.textContent = withUnit(gauge.power_watts, "W");
    limit.textContent = known(gauge.power_limit_watts) ? `limit ${withUnit(gauge.power_limit_watts, "W")}` : "";
    const measurable = known(gauge.power_watts) && known(gauge.power_limit_watts) && gauge.power_limit_watts > 0;
    meter.hidden = !measurable;
    if (!measurable) return;
    meter.max = gauge.power_limit_watts ?? 1;
    meter.value = gauge.power_watts ?? 0;
  };
  return { element: h("div", { class: "gauge-line" }, power, meter, limit), show };
}
