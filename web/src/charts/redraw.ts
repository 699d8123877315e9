// Draws charts when they come near the viewport, when their width or the theme changes, and before printing. All charts
// share one observer of each kind; removed charts are garbage-collected.

import { onThemeChange } from "../base/theme";

interface Drawing {
  draw: (width: number) => void;
  width: number; // of the last drawing; 0 before the first
  stale: boolean;
  near: boolean;
}

const drawings = new WeakMap<Element, Drawing>();
let waiting = new Set<Element>();

const nearby = new IntersectionObserver(
  (entries) => {
    for (const entry of entries) {
      const drawing = drawings.get(entry.target);
      if (!drawing) continue;
      drawing.near = entry.isIntersecting;
      if (drawing.near && drawing.stale) soon(entry.target);
    }
  },
  { rootMargin: "400px" },
);

const resized = new ResizeObserver((entries) => {
  for (const entry of entries) {
    const drawing = drawings.get(entry.target);
    if (!drawing || Math.abs(entry.contentRect.width - drawing.width) < 1) continue;
    drawing.stale = true;
    if (drawing.near) soon(entry.target);
  }
});

// `draw` is called with the element's width in pixels.
export function redraw(element: Element, draw: (width: number) => void): void {
  drawings.set(element, { draw, width: 0, stale: true, near: false });
  nearby.observe(element);
  resized.observe(element);
}

// Marks a chart whose data has changed; it is redrawn when it is near the viewport.
export function outdate(element: Element): void {
  const drawing = drawings.get(element);
  if (!drawing) return;
  drawing.stale = true;
  if (drawing.near) soon(element);
}

export function startRedraw(): void {
  onThemeChange(() => live().forEach(outdate));
  window.addEventListener("beforeprint", () => live().forEach(now));
}

function live(): Element[] {
  return [...document.querySelectorAll("figure.chart .canvas")];
}

// Max drawing time per frame, so that the page stays responsive.
const frameMilliseconds = 24;

function soon(element: Element): void {
  if (waiting.size === 0) requestAnimationFrame(drawWaiting);
  waiting.add(element);
}

function drawWaiting(): void {
  const start = performance.now();
  const remaining = new Set<Element>();
  for (const element of waiting) {
    if (performance.now() - start > frameMilliseconds) remaining.add(element);
    else if (drawings.get(element)?.stale) now(element);
  }
  waiting = remaining;
  if (remaining.size > 0) requestAnimationFrame(drawWaiting);
}

function now(element: Element): void {
  const drawing = drawings.get(element);
  const width = element.clientWidth;
  if (!drawing || width === 0 || (!drawing.stale && Math.abs(width - drawing.width) < 1)) return;
  drawing.width = width;
  drawing.stale = false;
  drawing.draw(width);
}
