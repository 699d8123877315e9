// Knee and best clocks of all networks on one axis.

import type { Column } from "../base/columns";
import { axisX, dot, link, pointerY, tip } from "@observablehq/plot";
import { clockMhz } from "../base/format";
import { cssSeries, series } from "../base/palette";
import { chart } from "../charts/chart";
import { pair } from "../documents/document";
import type { SweptNetwork } from "./evaluation";

interface Mark {
  network: string;
  what: string;
  clock_mhz: number | null;
  low: number | null;
  high: number | null;
}

const kinds = ["knee of power", "min energy", "min energy-delay product"] as const;
const signs = ["diamond", "circle", "triangle"] as const;

const columns: readonly Column<Mark>[] = [
  { key: "network", label: "network" },
  { key: "what", label: "clock of" },
  { key: "clock_mhz", label: "clock", unit: "MHz", format: (value) => clockMhz(value) },
  { key: "low", label: "low", unit: "MHz" },
  { key: "high", label: "high", unit: "MHz" },
];

export function optima(networks: readonly SweptNetwork[], simulated: boolean): HTMLElement {
  const marks = networks.flatMap(marksOf);
  return chart({
    id: "sweep-optima",
    title: "Knee of power and best clocks",
    caption: "Bars: interval of the knee, and clocks within 1 % or two standard errors of the best. No mark if unknown.",
    simulated,
    columns,
    rows: marks,
    legend: kinds.map((label, index) => ({ label, color: cssSeries(index + 1), sign: "dot" as const })),
    height: 60 + networks.length * 24,
    draw: ({ narrow, colors }) => {
      const known = marks.filter((mark) => mark.clock_mhz !== null);
      const kind = (mark: Mark) => kinds.findIndex((name) => name === mark.what);
      const color = (mark: Mark) => series(kind(mark) + 1, colors);
      return {
        marginLeft: narrow ? 96 : 150,
        marginTop: 34,
        x: { grid: true, label: "clock (MHz)", nice: true },
        y: { label: null, domain: networks.map((network) => network.title), type: "point", padding: 0.6 },
        marks: [
          axisX({ anchor: "top", label: "clock (MHz)", ticks: narrow ? 4 : 8 }),
          link(known.filter((mark) => mark.low !== null), { x1: "low", x2: "high", y: "network", stroke: color, strokeWidth: 4, strokeOpacity: 0.35 }),
          dot(known, { x: "clock_mhz", y: "network", fill: color, r: 4, symbol: (mark: Mark) => signs[kind(mark)] }),
          tip(known, pointerY({ x: "clock_mhz", y: "network", title: (mark: Mark) => `${mark.network}: ${mark.what}\n${clockMhz(mark.clock_mhz)}` })),
        ],
      };
    },
  });
}

function marksOf({ title, body, knee, kneeInterval, bestEnergy, bestEdp }: SweptNetwork): Mark[] {
  const mark = (what: (typeof kinds)[number], clock: number | null, interval: readonly [number, number] | null): Mark => ({
    network: title, what, clock_mhz: clock, low: interval?.[0] ?? null, high: interval?.[1] ?? null,
  });
  return [
    mark("knee of power", knee, kneeInterval),
    mark("min energy", bestEnergy, pair(body, "best_energy_interval_mhz")),
    mark("min energy-delay product", bestEdp, pair(body, "best_edp_interval_mhz")),
  ];
}
