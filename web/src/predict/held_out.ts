// Predictions of held-out networks compared with measurements.

import { dot, line, pointer, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { change, si } from "../base/format";
import { cssColor, cssSeries, series } from "../base/palette";
import { scaleFor } from "../charts/axis_scale";
import { chart } from "../charts/chart";
import { logAxis } from "../charts/log_axis";
import type { JsonObject } from "../documents/document";
import { flag, num, objects, text } from "../documents/document";

interface HeldOutRow {
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
  { key: "time_seconds", title: "Predicted and measured time", label: "time", unit: "s" },
  { key: "power_watts", title: "Predicted and measured power", label: "power", unit: "W" },
];

export function heldOutCharts(body: JsonObject, id: string, simulated: boolean): readonly HTMLElement[] {
  return quantities.flatMap((quantity) => heldOutChart(readHeldOut(body, quantity.key), quantity, `${id}-${quantity.label}`, simulated) ?? []);
}

function heldOutChart(rows: readonly HeldOutRow[], quantity: Quantity, id: string, simulated: boolean): HTMLElement | null {
  if (rows.length === 0) return null;
  const modes = [...new Set(rows.map((row) => row.mode))];
  const columns: readonly Column<HeldOutRow>[] = [
    { key: "network", label: "network" },
    { key: "batch", label: "batch" },
    { key: "mode", label: "mode" },
    { key: "precision", label: "precision" },
    { key: "host_bound", label: "host-bound", value: (row) => row.hostBound },
    { key: quantity.key, label: "predicted", value: (row) => row.predicted, format: (value) => si(value, quantity.unit) },
    { key: `measured_${quantity.key}`, label: "measured", value: (row) => row.measured, format: (value) => si(value, quantity.unit) },
    { key: "error", label: "error", value: (row) => row.predicted / row.measured - 1, format: (value) => change(value) },
  ];
  return chart({
    id,
    title: quantity.title,
    caption: "The model for each network was fitted without it. Logarithmic axes.",
    simulated,
    columns,
    rows,
    legend: [
      ...modes.map((label, index) => ({ label, color: cssSeries(index), sign: "dot" as const })),
      { label: "predicted = measured", color: cssColor("muted"), sign: "line" },
      { label: "± 20 %", color: cssColor("muted"), sign: "dashed" },
    ],
    height: (width) => Math.round(Math.min(460, Math.max(280, width * 0.75))),
    draw: ({ colors, narrow }) => {
      const values = rows.flatMap((row) => [row.predicted, row.measured]);
      const scale = scaleFor(values, quantity.unit);
      const ends = [Math.min(...values), Math.max(...values)].map((value) => value / scale.factor);
      const place = { x: (row: HeldOutRow) => row.measured / scale.factor, y: (row: HeldOutRow) => row.predicted / scale.factor };
      const axis = logAxis(ends, narrow);
      const straight = (factor: number, dash: string) =>
        line(axis.ends, { x: (end: number) => end, y: (end: number) => end * factor, stroke: colors.muted, strokeDasharray: dash, clip: true });
      return {
        marginLeft: 56,
        x: { ...axis.options, label: `measured ${quantity.label} (${scale.unit})` },
        y: { ...axis.options, label: `predicted ${quantity.label} (${scale.unit})`, grid: true },
        marks: [
          straight(1, "none"),
          straight(1.2, "4 3"),
          straight(1 / 1.2, "4 3"),
          dot(rows, { ...place, r: 4, fill: (row: HeldOutRow) => series(modes.indexOf(row.mode), colors), fillOpacity: 0.75 }),
          tip(rows, pointer({ ...place, title: (row: HeldOutRow) => tipText(row, quantity.unit) })),
        ],
      };
    },
  });
}

function readHeldOut(body: JsonObject, key: string): readonly HeldOutRow[] {
  return objects(body, "held_out").flatMap((row): HeldOutRow[] => {
    const predicted = num(row, key);
    const measured = num(row, `measured_${key}`);
    if (predicted === null || measured === null || predicted <= 0 || measured <= 0) return [];
    return [{
      network: text(row, "network") ?? "unknown", batch: num(row, "batch"), mode: text(row, "mode") ?? "unknown",
      precision: text(row, "precision") ?? "unknown", hostBound: flag(row, "host_bound"), predicted, measured,
    }];
  });
}

function tipText(row: HeldOutRow, unit: string): string {
  const host = row.hostBound ? "\nhost-bound" : "";
  return `${row.network}, ${row.mode}, ${row.precision}, batch ${row.batch ?? "unknown"}\nmeasured ${si(row.measured, unit)}\npredicted ${si(row.predicted, unit)}, ${change(row.predicted / row.measured - 1)}${host}`;
}
