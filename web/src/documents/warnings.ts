// What the numbers of a document do not cover.

import { h } from "../base/dom";
import type { JsonObject } from "./document";
import { texts } from "./document";

export function warnings(body: JsonObject): HTMLElement[] {
  return texts(body, "warnings").map((warning) => h("p", { class: "problem" }, warning));
}
