// Several networks: boxes that a word narrows down, and how many are chosen.

import { h } from "../base/dom";
import type { Field } from "../base/fields";
import type { Choice } from "../base/fields";

export interface NetworksFieldOptions {
  networks: readonly string[];
  extra?: readonly Choice[]; // before the others: names that stand for many
  value: string; // "a,b"
}

// Read as "a,b"; null where none is chosen.
export function networksField({ networks, extra = [], value }: NetworksFieldOptions): Field {
  const all: readonly Choice[] = [...extra, ...networks.map((name) => ({ value: name, label: name }))];
  const boxes = all.map((choice) => h("input", { type: "checkbox", name: "networks", value: choice.value }));
  const labels = all.map((choice, index) => h("label", null, boxes[index], choice.label));
  const chosen = () => boxes.filter((box) => box.checked).map((box) => box.value);
  const output = h("output");
  const find = h("input", { type: "search", "aria-label": "Find networks", placeholder: "find …", autocomplete: "off" });
  const narrow = () => {
    const word = find.value.trim().toLowerCase();
    labels.forEach((label, index) => (label.hidden = word !== "" && !boxes[index]!.checked && !all[index]!.label.toLowerCase().includes(word)));
  };
  const say = () => (output.textContent = chosen().length === 0 ? "none chosen" : `chosen: ${chosen().join(", ")}`);
  find.addEventListener("input", narrow);
  const element = h("fieldset", { class: "field choices networks" }, h("legend", null, "Networks"), find, h("div", { class: "boxes" }, labels), output);
  element.addEventListener("change", say);
  const write = (text: string) => {
    const wanted = new Set(text.split(","));
    for (const box of boxes) box.checked = wanted.has(box.value);
    say();
  };
  write(value);
  return { name: "networks", element, read: () => chosen().join(",") || null, write };
}
