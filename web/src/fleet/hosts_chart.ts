import { dot, link, pointerX, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { interval, number, si } from "../base/format";
import { cssColour, cssSeries, series } from "../base/palette";
import { chart } from "../charts/chart";
import type { Host } from "./hosts";

interface Ranked extends Host {
  rank: number;
}

const columns: readonly Column<Ranked>[] = [
  { key: "rank", label: "rank" },
  { key: "name", label: "host" },
  { key: "task_seconds", label: "a task takes", unit: "s", value: (host) => host.seconds, format: (value) => number(value, 4) },
  { key: "low", label: "from", unit: "s", format: (value) => number(value, 4) },
  { key: "high", label: "to", unit: "s", format: (value) => number(value, 4) },
  { key: "z", label: "deviations" },
  { key: "odd", label: "remarkable", value: (host) => host.odd.join("; ") },
];

// All hosts in order of the time their tasks take, with intervals.
export function hostsChart(hosts: readonly Host[], simulated: boolean): HTMLElement {
  const ranked = hosts
    .filter((host) => host.seconds !== null)
    .sort((a, b) => (a.seconds ?? 0) - (b.seconds ?? 0))
    .map((host, index): Ranked => ({ ...host, rank: index + 1 }));
  return chart({
    id: "fleet-hosts",
    title: "How long a task takes on each host",
    caption: "Hosts from the fastest to the slowest, with the 95 % interval of each mean. A step is where one kind of GPU ends.",
    simulated,
    columns,
    rows: ranked,
    legend: [
      { label: "mean of a host", colour: cssSeries(0), sign: "dot" },
      { label: "95 % interval", colour: cssColour("muted"), sign: "line" },
      { label: "remarkable host", colour: cssColour("bad"), sign: "dot" },
    ],
    height: 300,
    draw: ({ colours, narrow }) => {
      const colour = (host: Ranked) => (host.odd.length > 0 ? colours.bad : series(0, colours));
      return {
        x: { label: "hosts, the fastest first", ticks: narrow ? 4 : 8 },
        y: { label: "a task takes (s)", grid: true, nice: true },
        marks: [
          link(ranked.filter((host) => host.low !== null && host.high !== null), { x: "rank", y1: "low", y2: "high", stroke: colours.muted, strokeOpacity: 0.5 }),
          dot(ranked, { x: "rank", y: "seconds", fill: colour, r: (host: Ranked) => (host.odd.length > 0 ? 4 : 2) }),
          tip(ranked, pointerX({ x: "rank", y: "seconds", title: tipText })),
        ],
      };
    },
  });
}

function tipText({ rank, name, seconds, low, high, z, odd }: Ranked): string {
  const range = interval(low, high, (value) => si(value, "s", 4));
  return [`${rank}. ${name}`, `${si(seconds, "s", 4)} (${range})`, `${number(z)} deviations from its like`, ...odd].join("\n");
}
