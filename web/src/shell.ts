// Frame of every page: skip link, navigation, theme switch and <main>.

import { h, replaceChildren } from "./base/dom";
import type { Route } from "./base/router";
import { linkTo } from "./base/router";
import { themeToggle } from "./base/theme";

export interface Entry {
  name: string;
  title: string;
  draw: (route: Route, signal: AbortSignal) => HTMLElement;
}

export class Shell {
  private readonly main = h("main", { id: "main", tabindex: -1 });
  private readonly notice = h("p", { class: "notice", role: "status", hidden: true });
  private readonly nav: HTMLElement;
  private current = new AbortController();

  constructor(root: Element, private readonly entries: readonly Entry[]) {
    const skip = (event: Event) => (event.preventDefault(), this.main.focus());
    this.nav = h("nav", { "aria-label": "Pages" }, h("ul", null, entries.map(({ name, title }) => h("li", null, h("a", { href: linkTo(name) }, title)))));
    replaceChildren(
      root,
      h("a", { class: "skip", href: "#main", onclick: skip }, "Skip to content"),
      h("header", { class: "top" }, h("span", { class: "brand" }, "Ergon"), this.nav, themeToggle()),
      this.notice,
      this.main,
    );
  }

  // Null hides the notice.
  showNotice(notice: string | null): void {
    this.notice.hidden = notice === null;
    this.notice.textContent = notice ?? "";
  }

  show(route: Route): void {
    const entry = this.entries.find(({ name }) => name === route.name) ?? this.entries[0];
    if (!entry) return;
    this.current.abort();
    this.current = new AbortController();
    document.title = `${entry.title} - Ergon`;
    for (const link of this.nav.querySelectorAll("a")) {
      if (link.getAttribute("href") === linkTo(entry.name)) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    delete this.main.dataset["ready"];
    this.main.dataset["page"] = entry.name === "" ? "overview" : entry.name;
    replaceChildren(this.main, h("h1", null, entry.title), this.drawn(entry, route));
    window.scrollTo(0, 0);
    // After two frames: the first lays out the page, the second draws the visible charts.
    requestAnimationFrame(() => requestAnimationFrame(() => (this.main.dataset["ready"] = "true")));
  }

  private drawn(entry: Entry, route: Route): HTMLElement {
    try {
      return entry.draw(route, this.current.signal);
    } catch (error) {
      console.error(error);
      return h("p", { class: "problem", role: "alert" }, `This page could not be drawn: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
