// A form that requests a document and shows it below. Its values are stored in the address, so that a reload or a
// copied link gives the same document. A new request cancels the previous one.

import { h } from "../base/dom";
import type { Field } from "../base/fields";
import type { Values } from "../base/form";
import { form } from "../base/form";
import { updateParameters } from "../base/address_parameters";
import { drawDocument } from "../documents/views";
import type { LiveContext } from "../page";
import type { Parameters } from "./client";
import { problem } from "./loading";

export interface QueryFormOptions {
  context: LiveContext;
  label: string;
  submit: string; // the button's text
  path: string;
  fields: readonly Field[];
  forget?: readonly string[]; // address parameters of the shown document, removed on a new request
  parameters?: (values: Values) => Parameters; // of the request; default: the values
}

// Sends the first request immediately.
export function queryForm(options: QueryFormOptions): HTMLElement {
  const { context, fields } = options;
  const place = h("div", { class: "query-result" });
  let current = new AbortController();
  const request = async (values: Values) => {
    current.abort();
    current = new AbortController();
    const { signal } = current;
    context.signal.addEventListener("abort", () => current.abort(), { once: true });
    updateParameters(Object.fromEntries(fields.map(({ name }) => [name, values[name] ?? null])), context.signal);
    place.setAttribute("aria-busy", "true");
    if (place.childElementCount === 0) place.replaceChildren(h("p", { role: "status" }, "Computing …"));
    const result = await context.client.document(options.path, options.parameters?.(values) ?? values, signal);
    if (signal.aborted) return;
    place.removeAttribute("aria-busy");
    place.replaceChildren(result.ok ? drawDocument(result.value, context) : problem(result.error));
  };
  const made = form({ label: options.label, fields, submit: options.submit, onSubmit: (values) => {
    updateParameters(Object.fromEntries((options.forget ?? []).map((name) => [name, null])), context.signal);
    void request(values);
  } });
  made.fill(context.parameters);
  void request(made.values());
  return h("div", null, made.element, place);
}
