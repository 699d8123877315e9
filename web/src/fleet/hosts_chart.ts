import { dot, link, pointerX, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { interval, number, si } from "../base/format";
import { cssColor, cssSeries, series } from "../base/palette";
import { chart } from "../charts/chart";
import type { Host } from "./hosts";

interface Ranked extends Host {
  rank: number;
}

const columns: readonly Column<Ranked>[] = [
  { key: "rank", label: "rank" },
  { key: "name", label: "host" },
  { key: "task_seconds", label: "task duration", unit: "s", value: (host) => host.seconds, format: (value) => number(value, 4) },
  { key: "low", label: "low", unit: "s", format: (value) => number(value, 4) },
  { key: "high", label: "high", unit: "s", format: (value) => number(value, 4) },
  { key: "z", label: "z-score" },
  { key: "anomalies", label: "anomalies", value: (host) => host.anomalies.join("; ") },
];

// Task duration of all hosts, sorted, with intervals.
export function hostsChart(hosts: readonly Host[], simulated: boolean): HTMLElement {
  const ranked = hosts
    .filter((host) => host.seconds !== null)
    .sort((a, b) => (a.seconds ?? 0) - (b.seconds ?? 0))
    .map((host, index): Ranked => ({ ...host, rank: index + 1 }));
  return chart({
    id: "fleet-hosts",
    title: "Task duration by host",
    caption: "Hosts from fastest to slowest, with the 95 % interval of each mean. A step separates groups of GPUs.",
    simulated,
    columns,
    rows: ranked,
    legend: [
      { label: "mean", color: cssSeries(0), sign: "dot" },
      { label: "95 % interval", color: cssColor("muted"), sign: "line" },
      { label: "host with anomalies", color: cssColor("bad"), sign: "dot" },
    ],
    height: 300,
    draw: ({ colors, narrow }) => {
      const color = (host: Ranked) => (host.anomalies.length > 0 ? colors.bad : series(0, colors));
      return {
        x: { label: "host, fastest first", ticks: narrow ? 4 : 8 },
        y: { label: "task duration (s)", grid: true, nice: true },
        marks: [
          link(ranked.filter((host) => host.low !== null && host.high !== null), { x: "rank", y1: "low", y2: "high", stroke: colors.muted, strokeOpacity: 0.5 }),
          dot(ranked, { x: "rank", y: "seconds", fill: color, r: (host: Ranked) => (host.anomalies.length > 0 ? 4 : 2) }),
          tip(ranked, pointerX({ x: "rank", y: "seconds", title: tipText })),
        ],
      };
    },
  });
}

function tipText({ rank, name, seconds, low, high, z, anomalies }: Ranked): string {
  const range = interval(low, high, (value) => si(value, "s", 4));
  return [`${rank}. ${name}`, `${si(seconds, "s", 4)} (${range})`, `z-score ${number(z)}`, ...anomalies].join("\n");
}
