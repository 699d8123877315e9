// Radio buttons that select one of several views. A view is drawn when it is selected.

import { freshId, h } from "../base/dom";

export interface Drawing {
  value: string;
  label: string;
  draw: () => HTMLElement;
}

export function choiceOf(label: string, drawings: readonly Drawing[]): HTMLElement {
  const place = h("div");
  const show = (drawing: Drawing) => place.replaceChildren(drawing.draw());
  const name = freshId("choice");
  const boxes = drawings.map((drawing, index) =>
    h("label", null, h("input", { type: "radio", name, value: drawing.value, checked: index === 0, onchange: () => show(drawing) }), drawing.label),
  );
  if (drawings[0]) show(drawings[0]);
  return h("div", null, drawings.length > 1 && h("fieldset", { class: "field choices" }, h("legend", null, label), h("div", { class: "boxes" }, boxes)), place);
}
