// A grid of values as one image, a pixel for each; unknown values stay empty. Much quicker than a mark for each cell.

import type { ScaleOptions } from "@observablehq/plot";
import { scale } from "@observablehq/plot";

const shades = 256;

// An address (data:) of the image; `color` has a domain of two numbers.
export function heatImage(values: readonly (number | null)[], width: number, height: number, color: ScaleOptions, domain: readonly [number, number]): string {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser draws no images");
  const image = context.createImageData(width, height);
  const colours = ramp(color, domain);
  const [low, high] = domain;
  values.forEach((value, index) => {
    if (value === null) return;
    const place = high > low ? (value - low) / (high - low) : 0;
    const colour = colours[Math.round(Math.min(1, Math.max(0, place)) * (shades - 1))]!;
    image.data.set(colour, index * 4);
  });
  context.putImageData(image, 0, 0);
  return canvas.toDataURL();
}

// Few colours are parsed, not one for each cell.
function ramp(color: ScaleOptions, [low, high]: readonly [number, number]): readonly (readonly [number, number, number, number])[] {
  const written = scale({ color: { ...color, domain: [low, high] } });
  return Array.from({ length: shades }, (_, index) => channels(String(written.apply(low + ((high - low) * index) / (shades - 1)))));
}

function channels(colour: string): readonly [number, number, number, number] {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour);
  const [red, green, blue] = hex ? hex.slice(1).map((part) => parseInt(part, 16)) : (colour.match(/\d+/g) ?? []).map(Number);
  return [red ?? 0, green ?? 0, blue ?? 0, 255];
}
