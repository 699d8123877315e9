// Tabs of a page, each with its own address ("?part=array"). Other parameters are kept.

import { h } from "./dom";
import { pendingParameters, merged } from "./address_parameters";
import { currentRoute, linkTo } from "./router";

export interface Tab {
  name: string;
  label: string;
  draw: () => HTMLElement;
}

export function tabs(label: string, parameters: URLSearchParams, all: readonly Tab[]): HTMLElement {
  const shown = all.find(({ name }) => name === parameters.get("part")) ?? all[0];
  const links = all.map(({ name, label: title }) => {
    const link = h("a", { href: linkTo(currentRoute().name, { part: name }), "aria-current": name === shown?.name ? "page" : null }, title);
    // Fields may have changed the address. Updated before the click, so that opening in a new tab works too.
    const update = () => link.setAttribute("href", linkTo(currentRoute().name, merged(pendingParameters(), { part: name })));
    link.addEventListener("pointerdown", update);
    link.addEventListener("focus", update);
    return h("li", null, link);
  });
  return h("div", null, h("nav", { class: "tabs", "aria-label": label }, h("ul", null, links)), shown?.draw());
}
