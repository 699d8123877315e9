// When charts are drawn: as they come near the window, again when their width or the theme changes, and all before
// printing. One observer each serves every chart; a chart that left the page is forgotten with its element.

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

// `draw` gets the element's width in pixels whenever a (new) picture is needed.
export function redraw(element: Element, draw: (width: number) => void): void {
  drawings.set(element, { draw, width: 0, stale: true, near: false });
  nearby.observe(element);
  resized.observe(element);
}

// Draws anew when next seen; for charts whose data has changed.
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

// A frame draws for at most this long, so that scrolling and clicks stay quick with many charts.
const frameMilliseconds = 24;

function soon(element: Element): void {
  if (waiting.size === 0) requestAnimationFrame(drawWaiting);
  waiting.add(element);
}

function drawWaiting(): void {
  const start = performance.now();
  const left = new Set<Element>();
  for (const element of waiting) {
    if (performance.now() - start > frameMilliseconds) left.add(element);
    else if (drawings.get(element)?.stale) now(element);
  }
  waiting = left;
  if (left.size > 0) requestAnimationFrame(drawWaiting);
}

function now(element: Element): void {
  const drawing = drawings.get(element);
  const width = element.clientWidth;
  if (!drawing || width === 0 || (!drawing.stale && Math.abs(width - drawing.width) < 1)) return;
  drawing.width = width;
  drawing.stale = false;
  drawing.draw(width);
}
