// Latency and energy of the schemes relative to the highest clock.

import { arrow, dot, pointer, ruleX, ruleY, text as label, tip } from "@observablehq/plot";
import { change, percent } from "../base/format";
import { cssColor, cssSeries, series } from "../base/palette";
import { chart } from "../charts/chart";

export interface Scheme {
  name: string;
  energy: number | null; // relative to the highest clock
  planned: number | null; // latency relative to the highest clock
  time: number | null; // simulated latency relative to the highest clock
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
  const broken = known.filter((scheme) => scheme.planned !== null && Math.abs(scheme.planned - (scheme.time ?? 0)) > 1e-4);
  return chart({
    id,
    title: "Energy and latency by scheme",
    caption,
    simulated,
    rows: schemes,
    columns: [
      { key: "name", label: "scheme" },
      { key: "energy", label: "energy", format: (value) => percent(value, 2) },
      { key: "planned", label: "planned latency", format: (value) => percent(value, 2) },
      { key: "time", label: "simulated latency", format: (value) => percent(value, 2) },
    ],
    legend: [
      { label: "simulated", color: cssSeries(0), sign: "dot" },
      ...(broken.length > 0 ? [{ label: "planned", color: cssSeries(1), sign: "dot" } as const] : []),
      ...(slack ? [{ label: `max latency (${change(slack)})`, color: cssColor("good"), sign: "dashed" } as const] : []),
      { label: "highest clock", color: cssColor("muted"), sign: "line" },
    ],
    draw: ({ colors }) => ({
      marginLeft: 52,
      marginRight: 70,
      marginTop: 30,
      inset: 10,
      x: { label: "latency (% of highest clock)", percent: true, nice: true, grid: true, ticks: 6 },
      y: { label: "energy (% of highest clock)", percent: true, nice: true, grid: true },
      marks: [
        ruleX([1], { stroke: colors.muted }),
        ruleY([1], { stroke: colors.muted }),
        ...(slack ? [ruleX([1 + slack], { stroke: colors.good, strokeDasharray: "4 3", strokeWidth: 1.5 })] : []),
        arrow(broken, { x1: "planned", x2: "time", y: "energy", stroke: colors.muted, insetStart: 5, insetEnd: 7, headLength: 6 }),
        dot(broken, { x: "planned", y: "energy", stroke: series(1, colors), strokeWidth: 2, r: 4 }),
        dot(known, { x: "time", y: "energy", fill: series(0, colors), r: 5 }),
        label(spaced(known), { x: "time", y: "energy", text: "names", textAnchor: "start", dx: 9, dy: -9, fill: colors.text, stroke: colors.background, strokeWidth: 4 }),
        tip(known, pointer({ x: "time", y: "energy", title: tipText })),
      ],
    }),
  });
}

// Schemes at nearly the same point share one label.
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

function tipText({ name, energy, planned, time }: Scheme): string {
  const extra = planned === null || planned === time ? [] : [`planned latency ${percent(planned, 2)}`];
  return [name, `energy ${percent(energy, 2)}`, ...extra, `latency ${percent(time, 2)}`].join("\n");
}
