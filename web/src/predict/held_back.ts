// Networks as they were predicted without themselves, beside what was measured.

import { dot, line, pointer, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { change, si } from "../base/format";
import { cssColour, cssSeries, series } from "../base/palette";
import { scaleFor } from "../charts/axis_scale";
import { chart } from "../charts/chart";
import { logAxis } from "../charts/log_axis";
import type { JsonObject } from "../documents/document";
import { flag, num, objects, text } from "../documents/document";

interface Held {
  network: string;
  batch: number | null;
  mode: string;
  precision: string;
  hostBound: boolean | null;
  predicted: number;
  measured: number;
}

interface Quantity {
  key: string;
  title: string;
  label: string;
  unit: string;
}

const quantities: readonly Quantity[] = [
  { key: "time_seconds", title: "Predicted against measured time", label: "time", unit: "s" },
  { key: "power_watts", title: "Predicted against measured power", label: "power", unit: "W" },
];

export function heldBackCharts(body: JsonObject, id: string, simulated: boolean): readonly HTMLElement[] {
  return quantities.flatMap((quantity) => heldBackChart(readHeld(body, quantity.key), quantity, `${id}-${quantity.label}`, simulated) ?? []);
}

function heldBackChart(rows: readonly Held[], quantity: Quantity, id: string, simulated: boolean): HTMLElement | null {
  if (rows.length === 0) return null;
  const modes = [...new Set(rows.map((row) => row.mode))];
  const columns: readonly Column<Held>[] = [
    { key: "network", label: "network" },
    { key: "batch", label: "batch" },
    { key: "mode", label: "mode" },
    { key: "precision", label: "precision" },
    { key: "host_bound", label: "waits for the host", value: (row) => row.hostBound },
    { key: quantity.key, label: "predicted", value: (row) => row.predicted, format: (value) => si(value, quantity.unit) },
    { key: `measured_${quantity.key}`, label: "measured", value: (row) => row.measured, format: (value) => si(value, quantity.unit) },
    { key: "error", label: "off by", value: (row) => row.predicted / row.measured - 1, format: (value) => change(value) },
  ];
  return chart({
    id,
    title: quantity.title,
    caption: "Each network was held back while the others were learned from. Both axes are logarithmic.",
    simulated,
    columns,
    rows,
    legend: [
      ...modes.map((label, index) => ({ label, colour: cssSeries(index), sign: "dot" as const })),
      { label: "predicted = measured", colour: cssColour("muted"), sign: "line" },
      { label: "20 % off", colour: cssColour("muted"), sign: "dashed" },
    ],
    height: (width) => Math.round(Math.min(460, Math.max(280, width * 0.75))),
    draw: ({ colours, narrow }) => {
      const values = rows.flatMap((row) => [row.predicted, row.measured]);
      const scale = scaleFor(values, quantity.unit);
      const ends = [Math.min(...values), Math.max(...values)].map((value) => value / scale.factor);
      const place = { x: (row: Held) => row.measured / scale.factor, y: (row: Held) => row.predicted / scale.factor };
      const axis = logAxis(ends, narrow);
      const straight = (factor: number, dash: string) =>
        line(axis.ends, { x: (end: number) => end, y: (end: number) => end * factor, stroke: colours.muted, strokeDasharray: dash, clip: true });
      return {
        marginLeft: 56,
        x: { ...axis.options, label: `measured ${quantity.label} (${scale.unit})` },
        y: { ...axis.options, label: `predicted ${quantity.label} (${scale.unit})`, grid: true },
        marks: [
          straight(1, "none"),
          straight(1.2, "4 3"),
          straight(1 / 1.2, "4 3"),
          dot(rows, { ...place, r: 4, fill: (row: Held) => series(modes.indexOf(row.mode), colours), fillOpacity: 0.75 }),
          tip(rows, pointer({ ...place, title: (row: Held) => tipText(row, quantity.unit) })),
        ],
      };
    },
  });
}

function readHeld(body: JsonObject, key: string): readonly Held[] {
  return objects(body, "held_back").flatMap((row): Held[] => {
    const predicted = num(row, key);
    const measured = num(row, `measured_${key}`);
    if (predicted === null || measured === null || predicted <= 0 || measured <= 0) return [];
    return [{
      network: text(row, "network") ?? "unknown", batch: num(row, "batch"), mode: text(row, "mode") ?? "unknown",
      precision: text(row, "precision") ?? "unknown", hostBound: flag(row, "host_bound"), predicted, measured,
    }];
  });
}

function tipText(row: Held, unit: string): string {
  const host = row.hostBound ? "\nwaits for the host" : "";
  return `${row.network}, ${row.mode}, ${row.precision}, batch ${row.batch ?? "unknown"}\nmeasured ${si(row.measured, unit)}\npredicted ${si(row.predicted, unit)}, ${change(row.predicted / row.measured - 1)}${host}`;
}
