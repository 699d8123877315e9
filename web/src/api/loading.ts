import { h } from "../base/dom";
import type { ApiResult, Failure } from "./types";

// An element that shows a waiting message, then the drawn result or the error.
export function loading<T>(result: Promise<ApiResult<T>>, draw: (value: T) => HTMLElement, what = "Loading"): HTMLElement {
  const place = h("div", { class: "loading", "aria-busy": "true" }, h("p", { role: "status" }, `${what} …`));
  void result.then((got) => {
    place.removeAttribute("aria-busy");
    if (got.ok) place.replaceChildren(draw(got.value));
    else place.replaceChildren(problem(got.error));
  });
  return place;
}

export function problem(error: Failure): HTMLElement {
  return h("p", { class: "problem", role: "alert" }, error.message);
}
