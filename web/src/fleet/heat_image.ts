// A grid of values as an image with one pixel per value; unknown values are transparent. Faster than one mark per cell.

import type { ScaleOptions } from "@observablehq/plot";
import { scale } from "@observablehq/plot";

const shades = 256;

// Data URL of the image.
export function heatImage(values: readonly (number | null)[], width: number, height: number, color: ScaleOptions, domain: readonly [number, number]): string {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("the browser has no 2D canvas");
  const image = context.createImageData(width, height);
  const ramped = ramp(color, domain);
  const [low, high] = domain;
  values.forEach((value, index) => {
    if (value === null) return;
    const position = high > low ? (value - low) / (high - low) : 0;
    const pixel = ramped[Math.round(Math.min(1, Math.max(0, position)) * (shades - 1))]!;
    image.data.set(pixel, index * 4);
  });
  context.putImageData(image, 0, 0);
  return canvas.toDataURL();
}

// 256 colors are parsed instead of one per cell.
function ramp(color: ScaleOptions, [low, high]: readonly [number, number]): readonly (readonly [number, number, number, number])[] {
  const written = scale({ color: { ...color, domain: [low, high] } });
  return Array.from({ length: shades }, (_, index) => channels(String(written.apply(low + ((high - low) * index) / (shades - 1)))));
}

function channels(css: string): readonly [number, number, number, number] {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(css);
  const [red, green, blue] = hex ? hex.slice(1).map((part) => parseInt(part, 16)) : (css.match(/\d+/g) ?? []).map(Number);
  return [red ?? 0, green ?? 0, blue ?? 0, 255];
}
