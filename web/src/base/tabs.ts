// Parts of a page, one at a time, each with its own address ("?part=array"); other parameters go along.

import { h } from "./dom";
import { keptParameters, merged } from "./kept_parameters";
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
    // Fields may have changed the address since the page was drawn. Before the click, so that opening in a new tab works, too.
    const renew = () => link.setAttribute("href", linkTo(currentRoute().name, merged(keptParameters(), { part: name })));
    link.addEventListener("pointerdown", renew);
    link.addEventListener("focus", renew);
    return h("li", null, link);
  });
  return h("div", null, h("nav", { class: "tabs", "aria-label": label }, h("ul", null, links)), shown?.draw());
}
