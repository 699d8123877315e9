// A form of fields with one button. Enter submits; values are the parameters of a request, without the empty ones.

import { h } from "./dom";
import type { Field } from "./fields";

export type Values = Readonly<Record<string, string>>;

export interface FormOptions {
  label: string; // read by screen readers
  fields: readonly Field[];
  submit: string; // the button's text
  onSubmit: (values: Values) => void | Promise<void>; // the button rests until the promise settles
  onInput?: (values: Values) => void; // each change, for pages that answer at once
}

export interface Form {
  element: HTMLFormElement;
  values: () => Values;
  fill: (parameters: URLSearchParams) => void; // fields that it names
}

export function form(options: FormOptions): Form {
  const button = h("button", { type: "submit", class: "primary" }, options.submit);
  const element = h("form", { class: "form", "aria-label": options.label }, options.fields.map((field) => field.element), button);
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
