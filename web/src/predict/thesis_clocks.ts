// Time, energy and energy-delay product at six clocks for the thesis's 18 networks, as its figures 5.5 to 5.16.

import { lineY, pointer, ruleY, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { clock, number, si } from "../base/format";
import { cssColor } from "../base/palette";
import { chart } from "../charts/chart";
import type { JsonObject } from "../documents/document";
import { num, objects, text } from "../documents/document";

export interface ClockPoint {
  network: string;
  mode: string;
  clock: number;
  time: number | null;
  energy: number | null;
}

interface Figure {
  name: string;
  title: string;
  label: string;
  unit: string;
  figures: Readonly<Record<string, string>>; // by mode: measured and predicted in the thesis
  of: (point: ClockPoint) => number | null;
}

interface Row extends ClockPoint {
  value: number;
  relative: number;
}

const figures: readonly Figure[] = [
  { name: "time", title: "Time", label: "time", unit: "s", figures: { inference: "5.5 and 5.6", training: "5.9 and 5.10" }, of: (point) => point.time },
  { name: "energy", title: "Energy", label: "energy", unit: "J", figures: { inference: "5.7 and 5.8", training: "5.11 and 5.12" }, of: (point) => point.energy },
  {
    name: "energy-delay", title: "Energy-delay product", label: "energy-delay product", unit: "J s", figures: { inference: "5.13 and 5.14", training: "5.15 and 5.16" },
    of: ({ energy, time }) => (energy === null || time === null ? null : energy * time),
  },
];

export function clockPoints(body: JsonObject): readonly ClockPoint[] {
  return objects(body, "clocks").flatMap((series) => {
    const network = `${text(series, "network") ?? "unknown"}, ${num(series, "size") ?? "unknown"} px`;
    const mode = text(series, "mode") ?? "unknown";
    return objects(series, "points").flatMap((point): ClockPoint[] => {
      const at = num(point, "clock_hertz");
      return at === null ? [] : [{ network, mode, clock: at, time: num(point, "time_seconds"), energy: num(point, "energy_joules") }];
    });
  });
}

export function thesisClockCharts(points: readonly ClockPoint[], simulated: boolean): readonly HTMLElement[] {
  const modes = [...new Set(points.map((point) => point.mode))];
  return modes.flatMap((mode) => figures.map((figure) => figureChart(points.filter((point) => point.mode === mode), mode, figure, simulated)));
}

function figureChart(points: readonly ClockPoint[], mode: string, figure: Figure, simulated: boolean): HTMLElement {
  const rows = relativeTo(points, figure);
  const columns: readonly Column<Row>[] = [
    { key: "network", label: "network" },
    { key: "mode", label: "mode" },
    { key: "clock_hertz", label: "clock", value: (row) => row.clock, format: (value) => clock(value) },
    { key: figure.name.replace("-", "_"), label: figure.label, value: (row) => row.value, format: (value) => si(value, figure.unit) },
    { key: "relative", label: "relative to the min", format: (value) => number(value, 4) },
  ];
  return chart({
    id: `thesis-${figure.name}-${mode}`,
    title: `${figure.title} of ${mode} over six clocks`,
    caption: `Figures ${figure.figures[mode] ?? "of the thesis"}. One line per network, relative to its min.`,
    simulated,
    columns,
    rows,
    legend: [{ label: "predicted network", color: cssColor("accent"), sign: "line" }],
    draw: ({ colors, narrow }) => {
      const place = { x: (row: Row) => row.clock / 1e6, y: "relative" as const };
      return {
        marginLeft: 44,
        x: { label: "clock (MHz)", ticks: narrow ? 4 : [...new Set(rows.map((row) => row.clock / 1e6))], tickFormat: (value: number) => number(value, 4) },
        y: { label: `${figure.label} relative to the min`, grid: true, ticks: 5 },
        marks: [
          ruleY([1], { stroke: colors.muted, strokeDasharray: "4 3" }),
          lineY(rows, { ...place, z: "network", stroke: colors.accent, strokeOpacity: 0.55, marker: "dot" }),
          tip(rows, pointer({ ...place, title: (row: Row) => `${row.network}\n${clock(row.clock)}\n${si(row.value, figure.unit)}, ${number(row.relative)} times the min` })),
        ],
      };
    },
  });
}

function relativeTo(points: readonly ClockPoint[], figure: Figure): readonly Row[] {
  const mins = new Map<string, number>();
  for (const point of points) {
    const value = figure.of(point);
    if (value !== null) mins.set(point.network, Math.min(value, mins.get(point.network) ?? Infinity));
  }
  return points.flatMap((point): Row[] => {
    const value = figure.of(point);
    const min = mins.get(point.network);
    return value === null || !min ? [] : [{ ...point, value, relative: value / min }];
  });
}
