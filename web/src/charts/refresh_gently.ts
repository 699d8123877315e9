// Draws charts of changing data anew, but not while the pointer moves over them: whoever looks for a value gets to read it.

import { refresh } from "./chart";

const restMilliseconds = 3000;
const moved = new WeakMap<HTMLElement, number>(); // when, for figures that are watched

export function refreshGently(figure: HTMLElement): void {
  if (!moved.has(figure)) watch(figure);
  if (performance.now() - (moved.get(figure) ?? 0) > restMilliseconds) refresh(figure);
}

function watch(figure: HTMLElement): void {
  moved.set(figure, -Infinity);
  figure.addEventListener("pointermove", () => moved.set(figure, performance.now()));
  figure.addEventListener("pointerleave", () => (moved.set(figure, -Infinity), refresh(figure)));
}
