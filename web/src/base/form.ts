// A form with fields and one button. Enter submits. Values are request parameters, without empty ones.

import { balancedGrid } from "./balanced_grid";
import { h } from "./dom";
import type { Field } from "./fields";

const [minWidth, maxWidth] = [15, 30]; // of a field, in rem

export type Values = Readonly<Record<string, string>>;

export interface FormOptions {
  label: string; // for screen readers
  fields: readonly Field[];
  submit: string; // the button's text
  onSubmit: (values: Values) => void | Promise<void>; // the button is disabled until the promise settles
  onInput?: (values: Values) => void; // on each change
}

export interface Form {
  element: HTMLFormElement;
  values: () => Values;
  fill: (parameters: URLSearchParams) => void; // sets the named fields
}

export function form(options: FormOptions): Form {
  const button = h("button", { type: "submit", class: "primary" }, options.submit);
  const elements = options.fields.map((field) => field.element);
  const wide = elements.filter((each) => each.classList.contains("choices"));
  const grid = balancedGrid(h("div", { class: "form-grid" }, elements.filter((each) => !wide.includes(each))), minWidth, maxWidth);
  const element = h("form", { class: "form", "aria-label": options.label }, grid, wide, button);
  const values = () => readAll(options.fields);
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    const running = options.onSubmit(values());
    if (!running) return;
    button.disabled = true;
    void running.finally(() => (button.disabled = false));
  });
  if (options.onInput) element.addEventListener("input", () => options.onInput?.(values()));
  const fill = (parameters: URLSearchParams) => {
    for (const field of options.fields) {
      const value = parameters.get(field.name);
      if (value !== null) field.write(value);
    }
  };
  return { element, values, fill };
}

function readAll(fields: readonly Field[]): Values {
  const values: Record<string, string> = {};
  for (const field of fields) {
    const value = field.read();
    if (value !== null) values[field.name] = value;
  }
  return values;
}
