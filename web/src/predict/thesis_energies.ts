// Energy of networks on three configurations, as figures 5.1 and 5.2 of the thesis.

import { axisX, dot, link, pointerY, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { si } from "../base/format";
import { cssSeries, series } from "../base/palette";
import { chart } from "../charts/chart";
import { logAxis } from "../charts/log_axis";
import type { JsonObject } from "../documents/document";
import { num, text } from "../documents/document";

const configurations = [
  { key: "a30_tf32_joules", label: "A30, tf32" },
  { key: "rtx2080ti_joules", label: "RTX 2080 Ti" },
  { key: "a30_fp32_joules", label: "A30, fp32" },
] as const;

interface Spot {
  network: string;
  configuration: number;
  energy: number;
}

const columns: readonly Column<JsonObject>[] = [
  { key: "network", label: "network" },
  { key: "size", label: "image side" },
  { key: "mode", label: "mode" },
  ...configurations.map((one): Column<JsonObject> => ({ key: one.key, label: one.label, value: (row) => num(row, one.key), format: (value) => si(value, "J") })),
];

export function thesisEnergies(options: { id: string; title: string; caption: string; rows: readonly JsonObject[]; simulated: boolean }): HTMLElement | null {
  const nameOf = (row: JsonObject) => `${text(row, "network") ?? "unknown"}, ${num(row, "size") ?? "unknown"} px`;
  const spots = options.rows.flatMap((row) =>
    configurations.flatMap(({ key }, configuration): Spot[] => {
      const energy = num(row, key);
      return energy === null || energy <= 0 ? [] : [{ network: nameOf(row), configuration, energy }];
    }),
  );
  if (spots.length === 0) return null;
  const minOf = (network: string) => Math.min(...spots.filter((spot) => spot.network === network).map((spot) => spot.energy));
  const networks = [...new Set(spots.map((spot) => spot.network))].sort((a, b) => minOf(a) - minOf(b));
  return chart({
    id: options.id,
    title: options.title,
    caption: options.caption,
    simulated: options.simulated,
    columns,
    rows: options.rows,
    legend: configurations.map(({ label }, index) => ({ label, color: cssSeries(index), sign: "dot" as const })),
    height: 50 + networks.length * 22,
    draw: ({ colors, narrow }) => {
      const ranges = networks.map((network) => spots.filter((spot) => spot.network === network).map((spot) => spot.energy));
      const spans = networks.map((network, index) => ({ network, low: Math.min(...(ranges[index] ?? [])), high: Math.max(...(ranges[index] ?? [])) }));
      return {
        marginLeft: narrow ? 130 : 190,
        marginTop: 36,
        marginBottom: 8,
        x: { ...logAxis(spots.map((spot) => spot.energy), narrow).options, label: "energy per iteration (J)", grid: true },
        y: { label: null, domain: networks, type: "point", padding: 0.6, tickFormat: (name: string) => (narrow ? name.replace(" px", "") : name) },
        marks: [
          axisX({ anchor: "top", label: "energy per iteration (J)" }),
          link(spans, { x1: "low", x2: "high", y: "network", stroke: colors.grid, strokeWidth: 3 }),
          dot(spots, { x: "energy", y: "network", r: 4.5, fill: (spot: Spot) => series(spot.configuration, colors) }),
          tip(spots, pointerY({ x: "energy", y: "network", title: (spot: Spot) => `${spot.network}\n${configurations[spot.configuration]?.label ?? ""}\n${si(spot.energy, "J")}` })),
        ],
      };
    },
  });
}
