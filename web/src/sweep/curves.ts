// Time and power of each network over the clock, with bands of one sigma, as figures 5 and 6 of the V100S paper.

import { areaY, dot, lineY, pointerX, rect, ruleX, tip } from "@observablehq/plot";
import type { PlotOptions } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { clockMhz, si } from "../base/format";
import { cssColour, cssSeries } from "../base/palette";
import type { Surface } from "../charts/chart";
import type { LegendEntry } from "../charts/legend";
import { smallMultiples } from "../charts/small_multiples";
import type { Point, Quantity, SweptNetwork } from "./evaluation";
import { points } from "./evaluation";
import { scaleFor } from "../charts/axis_scale";

export interface Curve {
  id: string;
  quantity: Quantity;
  title: string;
  label: string; // of the axis, without unit
  unit: string;
  series: number; // its colour
}

export const markers: readonly LegendEntry[] = [
  { label: "knee of power", colour: cssColour("muted"), sign: "dashed" },
  { label: "knees that fit nearly as well", colour: cssColour("muted"), sign: "band" },
  { label: "clock of least energy", colour: cssColour("good"), sign: "line" },
];

export function curves(networks: readonly SweptNetwork[], simulated: boolean, curve: Curve): HTMLElement {
  const columns: readonly Column<Point>[] = [
    { key: "network", label: "network" },
    { key: "clock_mhz", label: "clock", unit: "MHz" },
    { key: curve.quantity, label: curve.label, value: (point) => point.mean, format: (value) => si(value, curve.unit) },
    { key: `${curve.quantity}_deviation`, label: "deviation", value: (point) => point.deviation, format: (value) => si(value, curve.unit) },
    { key: "runs", label: "runs" },
  ];
  return smallMultiples({
    id: curve.id,
    title: curve.title,
    caption: "One picture for each network, each with its own scale. The band is one standard deviation of the repetitions.",
    simulated,
    columns,
    legend: [{ label: "mean", colour: cssSeries(curve.series), sign: "line" }, { label: "± one sigma", colour: cssSeries(curve.series), sign: "band" }, ...markers],
    charts: networks.map((network) => ({
      id: `${curve.id}-${network.title}`,
      title: network.title,
      rows: () => points(network, curve.quantity),
      draw: (surface) => drawCurve(network, curve, surface),
    })),
  });
}

function drawCurve(network: SweptNetwork, curve: Curve, { colours }: Surface): PlotOptions {
  const found = points(network, curve.quantity);
  const scale = scaleFor(found.map((point) => point.mean + (point.deviation ?? 0)), curve.unit);
  const mean = (point: Point) => point.mean / scale.factor;
  const sigma = (point: Point) => (point.deviation ?? 0) / scale.factor;
  const colour = colours.series[curve.series] ?? colours.accent;
  return {
    marginLeft: 44,
    x: { label: "clock (MHz)", ticks: 4 },
    y: { label: `${curve.label} (${scale.unit})`, ticks: 4, zero: true, grid: true },
    marks: [
      ...markerMarks(network, colours),
      areaY(found, { x: "clock_mhz", y1: (point: Point) => mean(point) - sigma(point), y2: (point: Point) => mean(point) + sigma(point), fill: colour, fillOpacity: 0.25 }),
      lineY(found, { x: "clock_mhz", y: mean, stroke: colour, strokeWidth: 2 }),
      dot(found, { x: "clock_mhz", y: mean, fill: colour, r: 2 }),
      tip(found, pointerX({ x: "clock_mhz", y: mean, title: (point: Point) => tipText(point, curve.unit) })),
    ],
  };
}

export function markerMarks(network: SweptNetwork, colours: Surface["colours"]) {
  const interval = network.kneeInterval;
  return [
    ...(interval ? [rect([interval], { x1: (range) => range[0], x2: (range) => range[1], fill: colours.muted, fillOpacity: 0.14 })] : []),
    ...(network.knee === null ? [] : [ruleX([network.knee], { stroke: colours.muted, strokeDasharray: "4 3", strokeWidth: 1.5 })]),
    ...(network.bestEnergy === null ? [] : [ruleX([network.bestEnergy], { stroke: colours.good, strokeWidth: 1.5 })]),
  ];
}

function tipText(point: Point, unit: string): string {
  const spread = point.deviation === null ? "" : ` ± ${si(point.deviation, unit)}`;
  return `${clockMhz(point.clock_mhz)}\n${si(point.mean, unit, 5)}${spread}`;
}
