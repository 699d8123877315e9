// One roofline chart: the roof of a device and its layers by arithmetic intensity.

import type { PlotOptions } from "@observablehq/plot";
import { dot, line, link, pointer, ruleX, tip } from "@observablehq/plot";
import { number, si } from "../base/format";
import type { Surface } from "../charts/chart";
import { logAxis } from "../charts/log_axis";
import type { Kind } from "./layer_kinds";
import { kindColor } from "./layer_kinds";

export interface Spot {
  name: string;
  kind: Kind;
  intensity: number; // operations per byte
  attainable: number; // operations per second, limited by the roof
  attained: number | null; // operations per second; null if unknown
  bound: "memory" | "compute";
  size: number; // share of the network's time, 0 to 1
}

export interface RoofShape {
  peak: number;
  bandwidth: number;
}

export type Range = readonly [number, number];

export interface Frame {
  intensity: Range;
  speed: Range;
}

// Common axes of several charts: all spots and ridge points.
export function frameFor(spots: readonly Spot[], roofs: readonly RoofShape[]): Frame {
  const intensities = [...spots.map((spot) => spot.intensity), ...roofs.map((roof) => (roof.peak / roof.bandwidth) * 1.5)];
  const speeds = [...spots.flatMap((spot) => [spot.attainable, spot.attained ?? spot.attainable]), ...roofs.map((roof) => roof.peak)];
  return { intensity: rangeOf(intensities), speed: rangeOf(speeds) };
}

export function roofline(roof: RoofShape, spots: readonly Spot[], frame: Frame, { colors }: Surface): PlotOptions {
  const ridge = roof.peak / roof.bandwidth;
  const [min, max] = [frame.intensity[0] / 2, frame.intensity[1] * 2];
  const corners = [min, Math.min(Math.max(ridge, min), max), max].map((x) => ({ x, y: Math.min(roof.peak, x * roof.bandwidth) }));
  const speed = (spot: Spot) => spot.attained ?? spot.attainable;
  const color = (spot: Spot) => kindColor(spot.kind, colors);
  return {
    marginLeft: 52,
    x: { ...logAxis(frame.intensity, true).options, label: "operations per byte" },
    y: { ...logAxis(frame.speed, true).options, label: "operations per second", grid: true },
    marks: [
      ruleX([ridge], { stroke: colors.muted, strokeDasharray: "4 3" }),
      line(corners, { x: "x", y: "y", stroke: colors.text, strokeWidth: 2, clip: true }),
      link(spots.filter((spot) => spot.attained !== null), {
        x: "intensity", y1: "attainable", y2: speed, stroke: color, strokeOpacity: 0.35, clip: true,
      }),
      dot(spots, { x: "intensity", y: speed, r: (spot: Spot) => 2.5 + 6 * Math.sqrt(spot.size), fill: color, fillOpacity: 0.65, stroke: colors.background, strokeWidth: 0.5 }),
      tip(spots, pointer({ x: "intensity", y: speed, title: tipText })),
    ],
    r: { type: "identity" },
  };
}

function tipText(spot: Spot): string {
  const reached = spot.attained === null ? "" : `\nattained: ${si(spot.attained, "op/s")}, ${number((100 * spot.attained) / spot.attainable)} % of the roof`;
  return `${spot.name}\n${spot.kind}, ${spot.bound}-bound\n${number(spot.intensity)} operations per byte\nroof: ${si(spot.attainable, "op/s")}${reached}`;
}

function rangeOf(values: readonly number[]): Range {
  const positive = values.filter((value) => value > 0);
  return positive.length === 0 ? [0.1, 10] : [Math.min(...positive) / 2, Math.max(...positive) * 2];
}
