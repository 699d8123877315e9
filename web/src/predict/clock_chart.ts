// A quantity over the clock with its band; the chosen clock moves, the GPU's own and the best one stay.

import { areaY, dot, lineY, pointerX, ruleX, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { clock, si } from "../base/format";
import { cssColour, cssSeries, series } from "../base/palette";
import { scaleFor } from "../charts/axis_scale";
import { chart } from "../charts/chart";
import type { Estimate } from "../documents/document";
import { clockMarker } from "./clock_marker";
import type { ForecastCurve, ForecastPoint } from "./forecast";
import { least } from "./forecast";

export interface Chosen {
  curve: ForecastCurve;
  point: ForecastPoint;
}

export interface ClockChart {
  id: string;
  title: string;
  caption?: string;
  key: string; // of the CSV, with the unit
  label: string;
  unit: string;
  series: number;
  of: (point: ForecastPoint) => Estimate;
  bottom: boolean; // whether it has a least value in between that is worth marking
}

// A chart that follows the sliders: `move` for another clock of its curve, refresh(figure) for another curve.
export interface FollowingChart {
  figure: HTMLElement;
  move: () => void;
}

export function clockChart(what: ClockChart, simulated: boolean, chosen: () => Chosen): FollowingChart {
  const marker = clockMarker(() => chosen().point);
  const write = (value: number) => si(value, what.unit, 4);
  const columns: readonly Column<ForecastPoint>[] = [
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
      { label: "predicted", colour: cssSeries(what.series), sign: "line" },
      { label: "90 %", colour: cssSeries(what.series), sign: "band" },
      { label: "chosen clock", colour: cssColour("text"), sign: "line" },
      { label: "GPU's own clock", colour: cssColour("muted"), sign: "dashed" },
      ...(what.bottom ? [{ label: "least", colour: cssColour("good"), sign: "dot" as const }] : []),
    ],
    height: (width) => Math.round(Math.min(360, Math.max(230, width * 0.5))),
    draw: (surface) => {
      const { colours, narrow } = surface;
      const { curve } = chosen();
      const ends = curve.points.map((at) => what.of(at).high ?? what.of(at).value ?? 0);
      const scale = scaleFor(ends, what.unit);
      const part = (end: keyof Estimate) => (at: ForecastPoint) => {
        const value = what.of(at)[end];
        return value === null ? NaN : value / scale.factor;
      };
      const x = (at: ForecastPoint) => at.clock / 1e6;
      const colour = series(what.series, colours);
      const best = what.bottom ? least(curve.points, (at) => what.of(at).value) : null;
      return marker.drawn(surface, {
        marginLeft: 54,
        x: { label: "clock (MHz)", ticks: narrow ? 4 : 8 },
        y: { label: `${what.label} (${scale.unit})`, zero: true, grid: true, ticks: 5 },
        marks: [
          ...(curve.ownClock === null ? [] : [ruleX([curve.ownClock / 1e6], { stroke: colours.muted, strokeDasharray: "4 3" })]),
          areaY(curve.points, { x, y1: part("low"), y2: part("high"), fill: colour, fillOpacity: 0.22 }),
          lineY(curve.points, { x, y: part("value"), stroke: colour, strokeWidth: 2 }),
          ...(best ? [dot([best], { x, y: part("value"), fill: colours.good, r: 5, stroke: colours.background })] : []),
          tip(curve.points, pointerX({ x, y: part("value"), title: (at: ForecastPoint) => tipText(at, what) })),
        ],
      }, part("value"));
    },
  });
  return { figure, move: marker.move };
}

function tipText(point: ForecastPoint, what: ClockChart): string {
  const { value, low, high } = what.of(point);
  return `${clock(point.clock)}\n${si(value, what.unit, 4)}\n${si(low, what.unit)} to ${si(high, what.unit)}`;
}
