// Time relative to the highest clock with the LOESS trend and its interval, as figure 7 of the V100S paper.

import type { PlotOptions } from "@observablehq/plot";
import { areaY, dot, lineY, pointerX, ruleY, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { clockMhz, number } from "../base/format";
import { cssColor, cssSeries } from "../base/palette";
import type { Surface } from "../charts/chart";
import { smallMultiples } from "../charts/small_multiples";
import type { Point, SweptNetwork, TrendPoint } from "./evaluation";
import { points, trend } from "./evaluation";

const columns: readonly Column<Point>[] = [
  { key: "network", label: "network" },
  { key: "clock_mhz", label: "clock", unit: "MHz" },
  { key: "relative_time", label: "relative time", value: (point) => point.relative },
  { key: "time_seconds", label: "time", unit: "s", value: (point) => point.mean },
];

export function relativeTime(networks: readonly SweptNetwork[], simulated: boolean): HTMLElement {
  return smallMultiples({
    id: "sweep-relative-time",
    title: "Time relative to the min, with its trend",
    caption: "1 is the min time of the network. The line is a LOESS fit of the means, the band its 95 % interval.",
    simulated,
    columns,
    legend: [
      { label: "mean", color: cssSeries(6), sign: "dot" },
      { label: "trend", color: cssSeries(0), sign: "line" },
      { label: "95 % interval", color: cssSeries(0), sign: "band" },
      { label: "min time", color: cssColor("muted"), sign: "dashed" },
    ],
    charts: networks.map((network) => ({
      id: `sweep-relative-time-${network.title}`,
      title: network.title,
      rows: () => points(network, "time_seconds"),
      draw: (surface) => draw(network, surface),
    })),
  });
}

function draw(network: SweptNetwork, { colors }: Surface): PlotOptions {
  const found = points(network, "time_seconds").filter((point) => point.relative !== null && point.relative > 0);
  const first = found[0];
  // The quotient of time and relative time is the min time.
  const unit = first?.relative ? first.mean / first.relative : null;
  const line = unit === null ? [] : trend(network, "time_seconds");
  const relative = (value: number | null) => (value === null || unit === null ? null : value / unit);
  return {
    marginLeft: 44,
    x: { label: "clock (MHz)", ticks: 4 },
    y: { label: "relative time", ticks: 4, grid: true, zero: true },
    marks: [
      ruleY([1], { stroke: colors.muted, strokeDasharray: "4 3" }),
      areaY(line, { x: "clock_mhz", y1: (at: TrendPoint) => relative(at.low), y2: (at: TrendPoint) => relative(at.high), fill: colors.series[0] ?? "", fillOpacity: 0.25 }),
      lineY(line, { x: "clock_mhz", y: (at: TrendPoint) => relative(at.fit), stroke: colors.series[0] ?? "", strokeWidth: 2 }),
      dot(found, { x: "clock_mhz", y: "relative", fill: colors.series[6] ?? "", r: 2.2 }),
      tip(found, pointerX({ x: "clock_mhz", y: "relative", title: (point: Point) => `${clockMhz(point.clock_mhz)}\n${number(point.relative, 4)} times` })),
    ],
  };
}
