// A grid with one card per device. Cards are reused, so that charts and focus are not lost.

import type { Gauge } from "../api/types";
import { balancedGrid } from "../base/balanced_grid";
import { h } from "../base/dom";

export interface Card {
  element: HTMLElement;
  show: (gauge: Gauge) => void;
}

export interface Cards {
  element: HTMLElement;
  show: (gauges: readonly Gauge[]) => void;
}

// `minWidth` is the min width of a card in rem.
export function deviceCards(minWidth: number, make: (gauge: Gauge) => Card): Cards {
  const cards = new Map<string, Card>();
  const element = balancedGrid(h("div", { class: "gauges" }), minWidth);
  const show = (gauges: readonly Gauge[]) => {
    for (const gauge of gauges) {
      let card = cards.get(gauge.uuid);
      if (!card) {
        cards.set(gauge.uuid, (card = make(gauge)));
        element.append(card.element);
      }
      card.show(gauge);
    }
    for (const [uuid, card] of cards) {
      if (gauges.some((gauge) => gauge.uuid === uuid)) continue;
      card.element.remove();
      cards.delete(uuid);
    }
  };
  return { element, show };
}
