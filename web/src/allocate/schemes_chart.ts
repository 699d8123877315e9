// Schemes by what they take of full speed's time and energy.

import { arrow, dot, pointer, ruleX, ruleY, text as label, tip } from "@observablehq/plot";
import { change, percent } from "../base/format";
import { cssColour, cssSeries, series } from "../base/palette";
import { chart } from "../charts/chart";

export interface Scheme {
  name: string;
  energy: number | null; // of full speed's
  promised: number | null; // latency, of full speed's
  time: number | null; // latency once simulated
}

export interface SchemesOptions {
  id: string;
  caption: string;
  slack: number | null;
  schemes: readonly Scheme[];
  simulated: boolean;
}

export function schemesChart({ id, caption, slack, schemes, simulated }: SchemesOptions): HTMLElement {
  const known = schemes.filter((scheme) => scheme.energy !== null && scheme.time !== null);
  const broken = known.filter((scheme) => scheme.promised !== null && Math.abs(scheme.promised - (scheme.time ?? 0)) > 1e-4);
  return chart({
    id,
    title: "Energy against latency, scheme by scheme",
    caption,
    simulated,
    rows: schemes,
    columns: [
      { key: "name", label: "scheme" },
      { key: "energy", label: "energy, of full speed's", format: (value) => percent(value, 2) },
      { key: "promised", label: "latency promised", format: (value) => percent(value, 2) },
      { key: "time", label: "latency simulated", format: (value) => percent(value, 2) },
    ],
    legend: [
      { label: "simulated", colour: cssSeries(0), sign: "dot" },
      ...(broken.length > 0 ? [{ label: "promised", colour: cssSeries(1), sign: "dot" } as const] : []),
      ...(slack ? [{ label: `time allowed (${change(slack)})`, colour: cssColour("good"), sign: "dashed" } as const] : []),
      { label: "full speed", colour: cssColour("muted"), sign: "line" },
    ],
    draw: ({ colours }) => ({
      marginLeft: 52,
      marginRight: 70,
      marginTop: 30,
      inset: 10,
      x: { label: "latency (% of full speed)", percent: true, nice: true, grid: true, ticks: 6 },
      y: { label: "energy (% of full speed)", percent: true, nice: true, grid: true },
      marks: [
        ruleX([1], { stroke: colours.muted }),
        ruleY([1], { stroke: colours.muted }),
        ...(slack ? [ruleX([1 + slack], { stroke: colours.good, strokeDasharray: "4 3", strokeWidth: 1.5 })] : []),
        arrow(broken, { x1: "promised", x2: "time", y: "energy", stroke: colours.muted, insetStart: 5, insetEnd: 7, headLength: 6 }),
        dot(broken, { x: "promised", y: "energy", stroke: series(1, colours), strokeWidth: 2, r: 4 }),
        dot(known, { x: "time", y: "energy", fill: series(0, colours), r: 5 }),
        label(spaced(known), { x: "time", y: "energy", text: "names", textAnchor: "start", dx: 9, fill: colours.text, stroke: colours.background, strokeWidth: 4 }),
        tip(known, pointer({ x: "time", y: "energy", title: tipText })),
      ],
    }),
  });
}

// Schemes at nearly the same place share one label.
function spaced(schemes: readonly Scheme[]): readonly { time: number; energy: number; names: string }[] {
  const span = (values: readonly (number | null)[]) => Math.max(...values.map((value) => value ?? 1)) - Math.min(...values.map((value) => value ?? 1));
  const across = 0.02 * span(schemes.map(({ time }) => time));
  const along = 0.04 * span(schemes.map(({ energy }) => energy));
  const groups: { time: number; energy: number; names: string[] }[] = [];
  for (const { name, time, energy } of schemes) {
    if (time === null || energy === null) continue;
    const near = groups.find((group) => Math.abs(group.time - time) <= across && Math.abs(group.energy - energy) <= along);
    if (near) near.names.push(name);
    else groups.push({ time, energy, names: [name] });
  }
  return groups.map((group) => ({ ...group, names: group.names.join(", ") }));
}

function tipText({ name, energy, promised, time }: Scheme): string {
  const words = promised === null || promised === time ? [] : [`latency promised ${percent(promised, 2)}`];
  return [name, `energy ${percent(energy, 2)}`, ...words, `latency ${percent(time, 2)}`].join("\n");
}
