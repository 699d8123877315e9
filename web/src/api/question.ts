// A form that asks the server for a document and shows the answer below. Its values stay in the address: a reload or a
// copied link asks the same. A new question takes the place of one that has no answer yet.

import { h } from "../base/dom";
import type { Field } from "../base/fields";
import type { Values } from "../base/form";
import { form } from "../base/form";
import { keepSome } from "../base/kept_parameters";
import { drawDocument } from "../documents/views";
import type { LiveContext } from "../page";
import type { Parameters } from "./client";
import { problem } from "./loading";

export interface QuestionOptions {
  context: LiveContext;
  label: string;
  submit: string; // the button's text
  path: string;
  fields: readonly Field[];
  forget?: readonly string[]; // parameters of the address that belong to the answer shown, not to the next one
  parameters?: (values: Values) => Parameters; // of the request; the values themselves without it
}

// Asks at once with what the fields hold.
export function question(options: QuestionOptions): HTMLElement {
  const { context, fields } = options;
  const place = h("div", { class: "answer" });
  let asked = new AbortController();
  const ask = async (values: Values) => {
    asked.abort();
    asked = new AbortController();
    const { signal } = asked;
    context.signal.addEventListener("abort", () => asked.abort(), { once: true });
    keepSome(Object.fromEntries(fields.map(({ name }) => [name, values[name] ?? null])), context.signal);
    place.setAttribute("aria-busy", "true");
    if (place.childElementCount === 0) place.replaceChildren(h("p", { role: "status" }, "Computing …"));
    const answer = await context.client.document(options.path, options.parameters?.(values) ?? values, signal);
    if (signal.aborted) return;
    place.removeAttribute("aria-busy");
    place.replaceChildren(answer.ok ? drawDocument(answer.value, context) : problem(answer.error));
  };
  const made = form({ label: options.label, fields, submit: options.submit, onSubmit: (values) => {
    keepSome(Object.fromEntries((options.forget ?? []).map((name) => [name, null])), context.signal);
    void ask(values);
  } });
  made.fill(context.parameters);
  void ask(made.values());
  return h("div", null, made.element, place);
}
