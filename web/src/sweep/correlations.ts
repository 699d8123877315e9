// Correlations of each network with their intervals, as figure 8 of the V100S paper.

import { axisX, dot, link, pointerY, ruleX, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { number } from "../base/format";
import { cssSeries, series } from "../base/palette";
import { chart } from "../charts/chart";
import type { Estimate } from "../documents/document";
import type { SweptNetwork } from "./evaluation";

interface Bar extends Estimate {
  network: string;
  pair: string;
}

const pairs: readonly (readonly [string, (network: SweptNetwork) => Estimate])[] = [
  ["power and clock", (network) => network.powerClock],
  ["time and clock", (network) => network.timeClock],
  ["power and time", (network) => network.powerTime],
];
const signs = ["circle", "square", "triangle"] as const;

const columns: readonly Column<Bar>[] = [
  { key: "network", label: "network" },
  { key: "pair", label: "quantities" },
  { key: "estimate", label: "Pearson's r", value: (bar) => bar.value },
  { key: "low", label: "low" },
  { key: "high", label: "high" },
];

export function correlations(networks: readonly SweptNetwork[], simulated: boolean): HTMLElement {
  const bars = networks.flatMap((network) => pairs.map(([pair, read]): Bar => ({ network: network.title, pair, ...read(network) })));
  return chart({
    id: "sweep-correlations",
    title: "Correlations by network",
    caption: "Pearson's r with its 95 % interval.",
    simulated,
    columns,
    rows: bars,
    legend: pairs.map(([label], index) => ({ label, color: cssSeries(index), sign: "dot" as const })),
    height: 60 + networks.length * 24,
    draw: ({ narrow, colors }) => {
      const known = bars.filter((bar) => bar.value !== null);
      const color = (bar: Bar) => series(pairs.findIndex(([pair]) => pair === bar.pair), colors);
      return {
        marginLeft: narrow ? 96 : 150,
        marginTop: 34,
        x: { domain: [-1, 1], grid: true, label: "correlation" },
        y: { label: null, domain: networks.map((network) => network.title), type: "point", padding: 0.6 },
        marks: [
          axisX({ anchor: "top", label: "correlation, Pearson's r", ticks: narrow ? 5 : 9 }),
          ruleX([0], { stroke: colors.muted }),
          link(known, { x1: "low", x2: "high", y: "network", stroke: color, strokeWidth: 3, strokeOpacity: 0.45 }),
          dot(known, { x: "value", y: "network", fill: color, r: 4, symbol: (bar: Bar) => signs[pairs.findIndex(([pair]) => pair === bar.pair)] }),
          tip(known, pointerY({ x: "value", y: "network", title: tipText })),
        ],
      };
    },
  });
}

function tipText(bar: Bar): string {
  return `${bar.network}: ${bar.pair}\n${number(bar.value)}  (${number(bar.low)} to ${number(bar.high)})`;
}
