// Hosts over time by color, as one image. Values appear on hover.

import { image, pointer, tip } from "@observablehq/plot";
import type { PlotOptions, ScaleOptions } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { h } from "../base/dom";
import { count, number, withUnit } from "../base/format";
import { sequential } from "../base/palette";
import type { Surface } from "../charts/chart";
import { chart } from "../charts/chart";
import { rampLegend } from "../charts/legend";
import type { JsonObject } from "../documents/document";
import { list, num, object, text } from "../documents/document";
import { heatImage } from "./heat_image";

interface Grid {
  hosts: readonly string[];
  start: number; // milliseconds since 1970
  bin: number; // milliseconds
  bins: number;
  omitted: number; // hosts that are not shown
}

interface Shade {
  key: "power_watts" | "utilization";
  id: string;
  title: string;
  name: string;
  unit: string;
  max?: number; // of the color scale; default: the largest value
}

interface Cell {
  host: string;
  row: number;
  time: number;
  value: number | null;
}

const shades: readonly Shade[] = [
  { key: "power_watts", id: "fleet-heat-power", title: "Power by host over time", name: "power", unit: "W" },
  { key: "utilization", id: "fleet-heat-utilization", title: "Utilization by host over time", name: "utilization", unit: "%", max: 100 },
];

export function heatMaps(analysis: JsonObject, simulated: boolean): HTMLElement | null {
  const map = object(analysis, "heat_map");
  const grid = gridOf(map);
  if (!map || !grid) return null;
  return h("div", { class: "columns" }, shades.map((shade) => heatMap(grid, shade, values(map, shade, grid), simulated)));
}

function heatMap(grid: Grid, shade: Shade, found: readonly (number | null)[], simulated: boolean): HTMLElement | null {
  const max = shade.max ?? found.reduce<number>((largest, value) => Math.max(largest, value ?? 0), 0);
  if (max === 0 && found.every((value) => value === null)) return null;
  const ramp = h("div");
  const color = () => ({ ...sequential(), type: "linear" as const, domain: [0, max] });
  const columns: readonly Column<Cell>[] = [
    { key: "host", label: "host" },
    { key: "time", label: "start", value: (cell) => new Date(cell.time).toISOString() },
    { key: shade.key, label: shade.name, unit: shade.unit, value: (cell) => cell.value },
  ];
  const cells = cellsOf(grid, found);
  return h(
    "div",
    null,
    chart({
      id: shade.id,
      title: shade.title,
      caption: `One row per host (${grid.hosts.length}), one column per ${number(grid.bin / 1000)} s. Empty: unknown.${grid.omitted > 0 ? ` ${count(grid.omitted)} further hosts are not shown.` : ""}`,
      simulated,
      columns,
      rows: cells,
      height: Math.min(560, Math.max(180, 60 + grid.hosts.length * 3)),
      draw: (surface) => {
        ramp.replaceChildren(rampLegend(color(), `${shade.name} (${shade.unit})`));
        return draw(grid, shade, cells, color(), max, surface);
      },
    }),
    ramp,
  );
}

function draw(grid: Grid, shade: Shade, cells: readonly Cell[], color: ScaleOptions, max: number, { width, height, narrow }: Surface): PlotOptions {
  const end = grid.start + grid.bins * grid.bin;
  const margins = { marginLeft: 44, marginRight: 16, marginTop: 28, marginBottom: 42 };
  const picture = heatImage(cells.map((cell) => cell.value), grid.bins, grid.hosts.length, color, [0, max]);
  return {
    ...margins,
    x: { type: "utc", label: "time (UTC)", domain: [new Date(grid.start), new Date(end)], ticks: narrow ? 4 : 7, tickFormat: "%H:%M" },
    y: { label: "host", domain: [0, grid.hosts.length], reverse: true, ticks: 6 },
    marks: [
      image([picture], {
        src: (address: string) => address, frameAnchor: "middle", preserveAspectRatio: "none", imageRendering: "pixelated",
        width: width - margins.marginLeft - margins.marginRight, height: height - margins.marginTop - margins.marginBottom,
      }),
      // Channels are formatted only for the cell under the pointer; a title would be formatted for all cells.
      tip(cells, pointer({
        x: (cell: Cell) => new Date(cell.time + grid.bin / 2),
        y: (cell: Cell) => cell.row + 0.5,
        lineWidth: narrow ? 12 : 26,
        channels: { host: "host", from: "time", [shade.name]: "value" },
        format: {
          x: false, y: false, host: (host: string) => host, from: (time: number) => `${new Date(time).toISOString().slice(0, 19).replace("T", " ")} UTC`,
          [shade.name]: (value: number | null) => withUnit(value, shade.unit),
        },
      })),
    ],
  };
}

function gridOf(map: JsonObject | null): Grid | null {
  const hosts = list(map, "hosts").map(String);
  const start = new Date(text(map, "start") ?? "").getTime();
  const seconds = num(map, "bin_seconds");
  const bins = Math.max(0, ...(["power_watts", "utilization"] as const).flatMap((key) => list(map, key).map((row) => (Array.isArray(row) ? row.length : 0))));
  if (hosts.length === 0 || bins === 0 || seconds === null || Number.isNaN(start)) return null;
  return { hosts, start, bin: seconds * 1000, bins, omitted: num(map, "hosts_omitted") ?? 0 };
}

// Row by row; null if unknown.
function values(map: JsonObject, { key }: Shade, grid: Grid): readonly (number | null)[] {
  const rows = list(map, key);
  return grid.hosts.flatMap((_, row) => {
    const found: unknown = rows[row];
    const line: readonly unknown[] = Array.isArray(found) ? found : [];
    return Array.from({ length: grid.bins }, (_, bin) => {
      const value = line[bin];
      return typeof value === "number" && Number.isFinite(value) ? value : null;
    });
  });
}

function cellsOf(grid: Grid, found: readonly (number | null)[]): readonly Cell[] {
  return found.map((value, index) => {
    const row = Math.floor(index / grid.bins);
    return { host: grid.hosts[row] ?? "unknown", row, time: grid.start + (index % grid.bins) * grid.bin, value };
  });
}
