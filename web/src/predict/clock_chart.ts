// A quantity over the clock with its interval. The selected clock moves; default clock and minimum are fixed.

import { areaY, dot, lineY, pointerX, ruleX, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { clock, si } from "../base/format";
import { cssColor, cssSeries, series } from "../base/palette";
import { scaleFor } from "../charts/axis_scale";
import { chart } from "../charts/chart";
import type { Estimate } from "../documents/document";
import { clockMarker } from "./clock_marker";
import type { PredictedCurve, PredictedPoint } from "./prediction";
import { pointWithMin } from "./prediction";

export interface Chosen {
  curve: PredictedCurve;
  point: PredictedPoint;
}

export interface ClockChart {
  id: string;
  title: string;
  caption?: string;
  key: string; // CSV heading, with the unit
  label: string;
  unit: string;
  series: number;
  of: (point: PredictedPoint) => Estimate;
  markMin: boolean; // marks the clock with the min value
}

// A chart that follows the sliders: `move` for another clock, refresh(figure) for another curve.
export interface FollowingChart {
  figure: HTMLElement;
  move: () => void;
}

export function clockChart(what: ClockChart, simulated: boolean, chosen: () => Chosen): FollowingChart {
  const marker = clockMarker(() => chosen().point);
  const write = (value: number) => si(value, what.unit, 4);
  const columns: readonly Column<PredictedPoint>[] = [
    { key: "clock_hertz", label: "clock", value: (point) => point.clock, format: (value) => clock(value) },
    { key: "batch", label: "batch" },
    { key: what.key, label: what.label, value: (point) => what.of(point).value, format: write },
    { key: `${what.key}_low`, label: "low", value: (point) => what.of(point).low, format: write },
    { key: `${what.key}_high`, label: "high", value: (point) => what.of(point).high, format: write },
  ];
  const figure = chart({
    id: what.id,
    title: what.title,
    ...(what.caption === undefined ? {} : { caption: what.caption }),
    simulated,
    columns,
    rows: () => chosen().curve.points,
    legend: [
      { label: "predicted", color: cssSeries(what.series), sign: "line" },
      { label: "90 % interval", color: cssSeries(what.series), sign: "band" },
      { label: "selected clock", color: cssColor("text"), sign: "line" },
      { label: "default clock", color: cssColor("muted"), sign: "dashed" },
      ...(what.markMin ? [{ label: "min", color: cssColor("good"), sign: "dot" as const }] : []),
    ],
    height: (width) => Math.round(Math.min(360, Math.max(230, width * 0.5))),
    draw: (surface) => {
      const { colors, narrow } = surface;
      const { curve } = chosen();
      const ends = curve.points.map((at) => what.of(at).high ?? what.of(at).value ?? 0);
      const scale = scaleFor(ends, what.unit);
      const part = (end: keyof Estimate) => (at: PredictedPoint) => {
        const value = what.of(at)[end];
        return value === null ? NaN : value / scale.factor;
      };
      const x = (at: PredictedPoint) => at.clock / 1e6;
      const color = series(what.series, colors);
      const best = what.markMin ? pointWithMin(curve.points, (at) => what.of(at).value) : null;
      return marker.drawn(surface, {
        marginLeft: 54,
        x: { label: "clock (MHz)", ticks: narrow ? 4 : 8 },
        y: { label: `${what.label} (${scale.unit})`, zero: true, grid: true, ticks: 5 },
        marks: [
          ...(curve.defaultClock === null ? [] : [ruleX([curve.defaultClock / 1e6], { stroke: colors.muted, strokeDasharray: "4 3" })]),
          areaY(curve.points, { x, y1: part("low"), y2: part("high"), fill: color, fillOpacity: 0.22 }),
          lineY(curve.points, { x, y: part("value"), stroke: color, strokeWidth: 2 }),
          ...(best ? [dot([best], { x, y: part("value"), fill: colors.good, r: 5, stroke: colors.background })] : []),
          tip(curve.points, pointerX({ x, y: part("value"), title: (at: PredictedPoint) => tipText(at, what) })),
        ],
      }, part("value"));
    },
  });
  return { figure, move: marker.move };
}

function tipText(point: PredictedPoint, what: ClockChart): string {
  const { value, low, high } = what.of(point);
  return `${clock(point.clock)}\n${si(value, what.unit, 4)}\n${si(low, what.unit)} to ${si(high, what.unit)}`;
}
