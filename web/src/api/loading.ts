import { h } from "../base/dom";
import type { Answer, Failure } from "./types";

// A place on the page that says it is waiting, then holds what `draw` makes of the answer, or why there is none.
export function loading<T>(answer: Promise<Answer<T>>, draw: (value: T) => HTMLElement, what = "Loading"): HTMLElement {
  const place = h("div", { class: "loading", "aria-busy": "true" }, h("p", { role: "status" }, `${what} …`));
  void answer.then((got) => {
    place.removeAttribute("aria-busy");
    if (got.ok) place.replaceChildren(draw(got.value));
    else place.replaceChildren(problem(got.error));
  });
  return place;
}

export function problem(error: Failure): HTMLElement {
  return h("p", { class: "problem", role: "alert" }, error.message);
}
