// One card per page: what it is for, and a link.

import { balancedGrid } from "../base/balanced_grid";
import { h } from "../base/dom";
import { linkTo } from "../base/router";
import type { Page } from "../page";

const cardWidth = 19;

export function pageList(pages: readonly Page[]): HTMLElement {
  return balancedGrid(
    h("ul", { class: "page-list" }, pages.map(({ name, title, about }) => h("li", null, h("a", { href: linkTo(name) }, title), h("p", null, about)))),
    cardWidth,
  );
}
