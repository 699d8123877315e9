// Live gauges of all devices that the server watches, asked for each second while the page is seen.

import { problem } from "../api/loading";
import type { Gauges } from "../api/types";
import { h, replaceChildren } from "../base/dom";
import type { LiveContext } from "../page";
import type { GaugeCard } from "./gauge_card";
import { gaugeCard } from "./gauge_card";
import { readingsOf } from "./gauge_history";

const periodMilliseconds = 1000;

export function liveGauges(context: LiveContext): HTMLElement {
  const cards = new Map<string, GaugeCard>();
  const words = h("p", { class: "caption", role: "status" }, "Asking for readings …");
  const grid = h("div", { class: "gauges" });
  const show = (gauges: Gauges) => {
    const histories = new Map((gauges.history ?? []).map((history) => [history.uuid, history]));
    for (const gauge of gauges.devices) {
      let card = cards.get(gauge.uuid);
      if (!card) {
        cards.set(gauge.uuid, (card = gaugeCard(gauge)));
        grid.append(card.element);
      }
      card.show(gauge, readingsOf(histories.get(gauge.uuid)));
    }
    for (const [uuid, card] of cards) {
      if (gauges.devices.some((gauge) => gauge.uuid === uuid)) continue;
      card.element.remove();
      cards.delete(uuid);
    }
    words.textContent = gauges.devices.length === 0
      ? "This server sees no GPU. Start it with --twin a30:resnet50:32 to watch a twin at work."
      : `${gauges.host}, ${new Date(gauges.time).toLocaleTimeString("en-GB")}`;
  };
  void poll(context, (answer) => (answer.ok ? show(answer.value) : replaceChildren(words, problem(answer.error))));
  return h("section", { class: "live-gauges" }, words, grid);
}

async function poll(context: LiveContext, told: (answer: Awaited<ReturnType<typeof ask>>) => void): Promise<void> {
  while (!context.signal.aborted) {
    if (!document.hidden) {
      const answer = await ask(context);
      if (context.signal.aborted) return;
      told(answer);
    }
    await new Promise((resolve) => setTimeout(resolve, periodMilliseconds));
  }
}

function ask(context: LiveContext) {
  return context.client.get<Gauges>("/gauges", {}, context.signal);
}
