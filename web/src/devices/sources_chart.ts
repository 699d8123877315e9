// Energy of each source with its interval, compared with the uncorrected readings and the energy counter.

import { dot, link, pointerY, tip } from "@observablehq/plot";
import { si } from "../base/format";
import { cssSeries } from "../base/palette";
import { scaleFor } from "../charts/axis_scale";
import { chart } from "../charts/chart";
import type { JsonObject } from "../documents/document";
import { num, text } from "../documents/document";

interface Row {
  device: string;
  by: "energy" | "readings only" | "energy counter";
  joules: number;
  low: number | null;
  high: number | null;
}

export function sourcesChart(sources: readonly JsonObject[], simulated: boolean, id: string): HTMLElement | null {
  const rows = sources.flatMap(rowsOf);
  if (rows.length === 0) return null;
  const kinds = ["energy", "readings only", "energy counter"] as const;
  return chart<Row>({
    id,
    title: "Energy of each device, by source",
    caption: "Bars are 95 % intervals. Readings and counter are not corrected for the sensor.",
    simulated,
    columns: [
      { key: "device", label: "device" },
      { key: "by", label: "source" },
      { key: "energy_joules", label: "energy", value: ({ joules }) => joules, format: (value) => si(value, "J", 4) },
      { key: "low", label: "low", format: (value) => si(value, "J", 4) },
      { key: "high", label: "high", format: (value) => si(value, "J", 4) },
    ],
    rows,
    legend: kinds.map((label, index) => ({ label, color: cssSeries(index), sign: "dot" as const })),
    height: 80 + sources.length * 40,
    draw: ({ colors }) => {
      const scale = scaleFor(rows.map(({ joules }) => joules), "J");
      const color = ({ by }: Row) => colors.series[kinds.indexOf(by)] ?? colors.accent;
      const at = ({ joules }: Row) => joules / scale.factor;
      const spans = rows.filter(({ low }) => low !== null);
      return {
        marginLeft: 70,
        x: { label: `energy (${scale.unit})`, grid: true, nice: true },
        y: { label: null, type: "point", padding: 0.7, domain: sources.map((source) => text(source, "device") ?? "unnamed") },
        marks: [
          link(spans, { x1: ({ low }: Row) => (low ?? 0) / scale.factor, x2: ({ high }: Row) => (high ?? 0) / scale.factor, y: "device", stroke: color, strokeWidth: 5, strokeOpacity: 0.35 }),
          dot(rows, { x: at, y: "device", fill: color, symbol: ({ by }: Row) => (["circle", "square", "triangle"] as const)[kinds.indexOf(by)], r: 5 }),
          tip(rows, pointerY({ x: at, y: "device", title: (row: Row) => `${row.device}: ${row.by}\n${si(row.joules, "J", 4)}${row.low === null ? "" : `\n${si(row.low, "J", 4)} to ${si(row.high, "J", 4)}`}` })),
        ],
      };
    },
  });
}

function rowsOf(source: JsonObject): readonly Row[] {
  const device = text(source, "device") ?? "unnamed";
  const energy = num(source, "energy_joules");
  const spread = num(source, "energy_uncertainty_joules");
  const bare = (by: Row["by"], joules: number | null): readonly Row[] => (joules === null ? [] : [{ device, by, joules, low: null, high: null }]);
  return [
    ...(energy === null ? [] : [{ device, by: "energy" as const, joules: energy, low: spread === null ? null : energy - spread, high: spread === null ? null : energy + spread }]),
    ...bare("readings only", num(source, "reading_joules")),
    ...bare("energy counter", num(source, "counter_joules")),
  ];
}
