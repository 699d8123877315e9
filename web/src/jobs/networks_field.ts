// Check boxes of networks with a search field.

import { h } from "../base/dom";
import type { Field } from "../base/fields";
import type { Choice } from "../base/fields";

export interface NetworksFieldOptions {
  networks: readonly string[];
  extra?: readonly Choice[]; // first entries: names of groups
  value: string; // "a,b"
}

// Read as "a,b"; null if none is checked.
export function networksField({ networks, extra = [], value }: NetworksFieldOptions): Field {
  const all: readonly Choice[] = [...extra, ...networks.map((name) => ({ value: name, label: name }))];
  const boxes = all.map((choice) => h("input", { type: "checkbox", name: "networks", value: choice.value }));
  const labels = all.map((choice, index) => h("label", null, boxes[index], choice.label));
  const list = h("div", { class: "boxes" }, labels);
  const chosen = () => boxes.filter((box) => box.checked).map((box) => box.value);
  const output = h("output");
  const find = h("input", { type: "search", "aria-label": "Search networks", placeholder: "search …", autocomplete: "off" });
  const filter = () => {
    const word = find.value.trim().toLowerCase();
    labels.forEach((label, index) => (label.hidden = word !== "" && !boxes[index]!.checked && !all[index]!.label.toLowerCase().includes(word)));
  };
  const update = () => (output.textContent = chosen().length === 0 ? "none selected" : `selected: ${chosen().join(", ")}`);
  find.addEventListener("input", filter);
  const element = h("fieldset", { class: "field choices networks" }, h("legend", null, "Networks"), find, list, output);
  element.addEventListener("change", update);
  const write = (text: string) => {
    const wanted = new Set(text.split(","));
    for (const box of boxes) box.checked = wanted.has(box.value);
    // Selected networks first, so that they are visible without scrolling.
    list.replaceChildren(...labels.filter((_, index) => boxes[index]!.checked), ...labels.filter((_, index) => !boxes[index]!.checked));
    update();
  };
  write(value);
  return { name: "networks", element, read: () => chosen().join(",") || null, write };
}
