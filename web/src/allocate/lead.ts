import { h } from "../base/dom";

// Purpose of the page.
export function lead(): HTMLElement {
  return h("p", { class: "lead" }, "Find a clock and a memory bandwidth for every layer, so that a network needs less energy in the same time.");
}
