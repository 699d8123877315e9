// Time and power of each network over the clock, with standard deviation, as figures 5 and 6 of the V100S paper.

import { areaY, dot, lineY, pointerX, rect, ruleX, tip } from "@observablehq/plot";
import type { PlotOptions } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { clockMhz, si } from "../base/format";
import { cssColor, cssSeries } from "../base/palette";
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
  label: string; // of the axis, without the unit
  unit: string;
  series: number; // color
}

export const markers: readonly LegendEntry[] = [
  { label: "knee of power", color: cssColor("muted"), sign: "dashed" },
  { label: "interval of the knee", color: cssColor("muted"), sign: "band" },
  { label: "clock of min energy", color: cssColor("good"), sign: "line" },
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
    caption: "One chart per network with its own scale. The band is one standard deviation.",
    simulated,
    columns,
    legend: [{ label: "mean", color: cssSeries(curve.series), sign: "line" }, { label: "± standard deviation", color: cssSeries(curve.series), sign: "band" }, ...markers],
    charts: networks.map((network) => ({
      id: `${curve.id}-${network.title}`,
      title: network.title,
      rows: () => points(network, curve.quantity),
      draw: (surface) => drawCurve(network, curve, surface),
    })),
  });
}

function drawCurve(network: SweptNetwork, curve: Curve, { colors }: Surface): PlotOptions {
  const found = points(network, curve.quantity);
  const scale = scaleFor(found.map((point) => point.mean + (point.deviation ?? 0)), curve.unit);
  const mean = (point: Point) => point.mean / scale.factor;
  const sigma = (point: Point) => (point.deviation ?? 0) / scale.factor;
  const color = colors.series[curve.series] ?? colors.accent;
  return {
    marginLeft: 44,
    x: { label: "clock (MHz)", ticks: 4 },
    y: { label: `${curve.label} (${scale.unit})`, ticks: 4, zero: true, grid: true },
    marks: [
      ...markerMarks(network, colors),
      areaY(found, { x: "clock_mhz", y1: (point: Point) => mean(point) - sigma(point), y2: (point: Point) => mean(point) + sigma(point), fill: color, fillOpacity: 0.25 }),
      lineY(found, { x: "clock_mhz", y: mean, stroke: color, strokeWidth: 2 }),
      dot(found, { x: "clock_mhz", y: mean, fill: color, r: 2 }),
      tip(found, pointerX({ x: "clock_mhz", y: mean, title: (point: Point) => tipText(point, curve.unit) })),
    ],
  };
}

export function markerMarks(network: SweptNetwork, colors: Surface["colors"]) {
  const interval = network.kneeInterval;
  return [
    ...(interval ? [rect([interval], { x1: (range) => range[0], x2: (range) => range[1], fill: colors.muted, fillOpacity: 0.14 })] : []),
    ...(network.knee === null ? [] : [ruleX([network.knee], { stroke: colors.muted, strokeDasharray: "4 3", strokeWidth: 1.5 })]),
    ...(network.bestEnergy === null ? [] : [ruleX([network.bestEnergy], { stroke: colors.good, strokeWidth: 1.5 })]),
  ];
}

function tipText(point: Point, unit: string): string {
  const spread = point.deviation === null ? "" : ` ± ${si(point.deviation, unit)}`;
  return `${clockMhz(point.clock_mhz)}\n${si(point.mean, unit, 5)}${spread}`;
}
