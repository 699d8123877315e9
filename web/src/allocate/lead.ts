import { h } from "../base/dom";

// What the page answers.
export function lead(): HTMLElement {
  return h("p", { class: "lead" }, "At which clock, and with how much memory bandwidth, should each layer run so that a network takes less energy in the same time?");
}
