// Current readings of all devices, each with its power over the last ten minutes.

import { problem } from "../api/loading";
import type { GaugeHistory, Gauges } from "../api/types";
import { h, replaceChildren } from "../base/dom";
import type { LiveContext } from "../page";
import { deviceCards } from "./cards";
import { gaugeCard } from "./gauge_card";
import { readingsOf } from "./gauge_history";
import { noDevices } from "./no_devices";
import { pollGauges } from "./poll_gauges";

const cardWidth = 26;

export function liveGauges(context: LiveContext): HTMLElement {
  let histories = new Map<string, GaugeHistory>();
  const cards = deviceCards(cardWidth, (first) => {
    const card = gaugeCard(first);
    return { element: card.element, show: (gauge) => card.show(gauge, readingsOf(histories.get(gauge.uuid))) };
  });
  const status = h("div", { class: "caption", role: "status" }, "Loading readings …");
  const show = (gauges: Gauges) => {
    histories = new Map(gauges.history.map((history) => [history.uuid, history]));
    cards.show(gauges.devices);
    if (gauges.devices.length > 0) status.textContent = `${gauges.host}, ${new Date(gauges.time).toLocaleTimeString("en-GB")}`;
    else if (!status.querySelector(".empty-state")) replaceChildren(status, noDevices());
  };
  void pollGauges(context, (result) => (result.ok ? show(result.value) : replaceChildren(status, problem(result.error))));
  return h("section", { class: "live-gauges" }, status, cards.element);
}
