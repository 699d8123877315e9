// Labeled form controls. Values are text, as in query parameters; empty is null.

import { freshId, h } from "./dom";

export interface Field {
  name: string;
  element: HTMLElement;
  read: () => string | null;
  write: (value: string) => void;
}

interface Common {
  name: string; // the option's name without dashes
  label: string;
  hint?: string;
  value?: string;
}

export interface Choice {
  value: string;
  label: string;
}

export function selectField(options: Common & { choices: readonly Choice[] }): Field {
  const control = h("select", { name: options.name }, options.choices.map(({ value, label }) => h("option", { value }, label)));
  return labeled(options, control);
}

// `unit` is appended to the value ("900" -> "900MHz"), for options that are quantities.
export function numberField(options: Common & { min?: number; max?: number; step?: number | "any"; unit?: string; required?: boolean }): Field {
  const control = h("input", {
    type: "number", name: options.name, min: options.min, max: options.max, step: options.step ?? "any", required: options.required, inputmode: "decimal",
  });
  return withUnit(labeled(options, control, options.unit), options.unit);
}

export function textField(options: Common & { suggestions?: readonly string[]; required?: boolean }): Field {
  const id = options.suggestions ? freshId("suggestions") : null;
  const control = h("input", { type: "text", name: options.name, list: id, required: options.required, autocomplete: "off", spellcheck: "false" });
  const field = labeled(options, control);
  if (id !== null) field.element.append(h("datalist", { id }, options.suggestions?.map((value) => h("option", { value }))));
  return field;
}

export function sliderField(options: Common & { min: number; max: number; step?: number; unit?: string; write?: (value: number) => string }): Field {
  const control = h("input", { type: "range", name: options.name, min: options.min, max: options.max, step: options.step ?? 1 });
  const output = h("output");
  const field = labeled(options, control);
  const update = () => (output.textContent = options.write?.(control.valueAsNumber) ?? `${control.value}${options.unit ? ` ${options.unit}` : ""}`);
  control.addEventListener("input", update);
  field.element.append(output);
  update();
  const write = (value: string) => (field.write(value), void update());
  return withUnit({ ...field, write }, options.unit);
}

export function checkField(options: Common): Field {
  const control = h("input", { type: "checkbox", name: options.name });
  control.checked = options.value === "true";
  const element = h("label", { class: "field check" }, control, h("span", null, options.label), hint(options));
  return { name: options.name, element, read: () => (control.checked ? "true" : null), write: (value) => (control.checked = value === "true") };
}

// Check boxes, read as "a,b"; null if none is checked.
export function choicesField(options: Common & { choices: readonly Choice[] }): Field {
  const boxes = options.choices.map(({ value }) => h("input", { type: "checkbox", value }));
  const element = h(
    "fieldset",
    { class: "field choices" },
    h("legend", null, options.label),
    h("div", { class: "boxes" }, options.choices.map(({ label }, index) => h("label", null, boxes[index], label))),
    hint(options),
  );
  const write = (value: string) => {
    const chosen = new Set(value.split(","));
    for (const box of boxes) box.checked = chosen.has(box.value);
  };
  if (options.value !== undefined) write(options.value);
  return { name: options.name, element, read: () => boxes.filter((box) => box.checked).map((box) => box.value).join(",") || null, write };
}

function labeled(options: Common, control: HTMLInputElement | HTMLSelectElement, unit?: string): Field {
  if (options.value !== undefined) control.value = options.value;
  const title = h("span", { class: "field-label" }, options.label, unit !== undefined && unit !== "" && h("span", { class: "unit" }, ` ${unit}`));
  const element = h("label", { class: "field" }, title, control, hint(options));
  return { name: options.name, element, read: () => (control.value === "" ? null : control.value), write: (value) => (control.value = value) };
}

// Written values may include the unit, as in addresses.
function withUnit(field: Field, unit: string | undefined): Field {
  if (unit === undefined || unit === "") return field;
  const read = () => {
    const value = field.read();
    return value === null ? null : value + unit;
  };
  return { ...field, read, write: (value) => field.write(value.endsWith(unit) ? value.slice(0, -unit.length) : value) };
}

function hint(options: Common): HTMLElement | null {
  return options.hint === undefined ? null : h("small", null, options.hint);
}
