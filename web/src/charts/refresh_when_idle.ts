// Redraws charts of live data, except while the pointer is over them, so that values can be read.

import { refresh } from "./chart";

const idleMilliseconds = 3000;
const moved = new WeakMap<HTMLElement, number>(); // time of the last move, by figure

export function refreshWhenIdle(figure: HTMLElement): void {
  if (!moved.has(figure)) trackPointer(figure);
  if (performance.now() - (moved.get(figure) ?? 0) > idleMilliseconds) refresh(figure);
}

function trackPointer(figure: HTMLElement): void {
  moved.set(figure, -Infinity);
  figure.addEventListener("pointermove", () => moved.set(figure, performance.now()));
  figure.addEventListener("pointerleave", () => (moved.set(figure, -Infinity), refresh(figure)));
}
