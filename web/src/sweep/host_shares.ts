// Time of one execution on the host, and on the GPU at the highest and lowest clock.

import { axisX, barX, pointerY, stackX, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { si } from "../base/format";
import { cssSeries, series } from "../base/palette";
import { chart } from "../charts/chart";
import type { JsonObject } from "../documents/document";
import { num, text } from "../documents/document";

interface Part {
  network: string;
  part: string;
  seconds: number;
}

const parts: readonly (readonly [string, (entry: JsonObject) => number | null])[] = [
  ["host", (entry) => num(entry, "host_seconds")],
  ["GPU at the highest clock", (entry) => num(entry, "gpu_seconds_fastest")],
  ["additional at the lowest clock", (entry) => difference(num(entry, "gpu_seconds_slowest"), num(entry, "gpu_seconds_fastest"))],
];

const columns: readonly Column<Part>[] = [
  { key: "network", label: "network" },
  { key: "part", label: "part" },
  { key: "seconds", label: "time", format: (value) => si(value, "s") },
];

export function hostShares(entries: readonly JsonObject[], simulated: boolean): HTMLElement | null {
  const rows = entries.flatMap((entry) =>
    parts.flatMap(([part, read]): Part[] => {
      const seconds = read(entry);
      return seconds === null ? [] : [{ network: text(entry, "network") ?? "unnamed", part, seconds }];
    }),
  );
  if (rows.length === 0) return null;
  const names = entries.map((entry) => text(entry, "network") ?? "unnamed");
  return chart<Part>({
    id: "v100s-host-shares",
    title: "Time of one execution on host and GPU",
    caption: "Time to set up a network and predict once. Only the GPU part depends on the clock.",
    simulated,
    columns,
    rows,
    legend: parts.map(([label], index) => ({ label, color: cssSeries(index) })),
    height: 60 + names.length * 20,
    draw: ({ narrow, colors }) => {
      const stacked = { x: "seconds", y: "network", order: parts.map(([part]) => part), z: "part" } as const;
      return {
        marginLeft: narrow ? 96 : 150,
        marginTop: 34,
        x: { label: "time (s)", grid: true },
        y: { label: null, domain: names },
        marks: [
          axisX({ anchor: "top", label: "time (s)", ticks: narrow ? 4 : 8 }),
          barX(rows, stackX({ ...stacked, fill: ({ part }: Part) => series(parts.findIndex(([name]) => name === part), colors), insetRight: 0.5 })),
          tip(rows, pointerY(stackX({ ...stacked, title: ({ network, part, seconds }: Part) => `${network}: ${part}\n${si(seconds, "s")}` }))),
        ],
      };
    },
  });
}

function difference(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : Math.max(0, a - b);
}
