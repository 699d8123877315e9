// Energy by innermost event, idle energy, and unattributed energy.

import { barX, pointerY, text as label, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { duration, percent, si } from "../base/format";
import { cssColor, cssSeries, series } from "../base/palette";
import { scaleFor } from "../charts/axis_scale";
import { chart } from "../charts/chart";
import type { JsonObject } from "../documents/document";
import { num, object } from "../documents/document";
import type { EventGroup } from "./analysis";

type Kind = "event" | "idle" | "unattributed";

interface Part {
  what: string;
  kind: Kind;
  energy_joules: number | null;
  seconds: number | null;
  share: number | null;
}

const columns: readonly Column<Part>[] = [
  { key: "what", label: "event" },
  { key: "kind", label: "kind" },
  { key: "energy_joules", label: "energy", format: (value) => si(value, "J") },
  { key: "share", label: "share", format: (value) => percent(value, 2) },
  { key: "seconds", label: "GPU time", format: duration },
];

export function energyParts(analysis: JsonObject, events: readonly EventGroup[], simulated: boolean): HTMLElement | null {
  const parts = partsOf(analysis, events);
  const known = parts.filter((part) => part.energy_joules !== null);
  if (known.length === 0) return null;
  return chart({
    id: "fleet-energy",
    title: "Energy by event, idle and unattributed energy",
    caption: "Energy is attributed to the innermost event on the host. Outside events it is idle while the GPU is measured idle, and otherwise unattributed. The bars add up to the total.",
    simulated,
    columns,
    rows: parts,
    legend: [{ label: "innermost event", color: cssSeries(0) }, { label: "idle", color: cssColor("warn") }, { label: "unattributed", color: cssSeries(1) }],
    height: 60 + known.length * 30,
    draw: ({ narrow, colors }) => {
      const scale = scaleFor(known.map((part) => part.energy_joules ?? 0), "J");
      const x = (part: Part) => (part.energy_joules ?? 0) / scale.factor;
      return {
        marginLeft: narrow ? 96 : 120,
        marginRight: 64,
        x: { label: `energy (${scale.unit})`, grid: true, ticks: narrow ? 4 : 8 },
        y: { label: null, domain: known.map((part) => part.what) },
        marks: [
          barX(known, { x, y: "what", fill: (part: Part) => (part.kind === "idle" ? colors.warn : series(part.kind === "event" ? 0 : 1, colors)) }),
          label(known, { x, y: "what", text: (part: Part) => percent(part.share, 2), textAnchor: "start", dx: 5 }),
          tip(known, pointerY({ x, y: "what", title: tipText })),
        ],
      };
    },
  });
}

function partsOf(analysis: JsonObject, events: readonly EventGroup[]): readonly Part[] {
  const energy = object(analysis, "energy");
  const total = num(energy, "total_joules");
  const part = (what: string, kind: Kind, joules: number | null, seconds: number | null): Part => ({
    what, kind, energy_joules: joules, seconds, share: joules === null || total === null || total === 0 ? null : joules / total,
  });
  const idle = (what: string, key: string) => part(what, "idle", num(object(energy, key), "joules"), num(object(energy, key), "seconds"));
  const inEvents = events
    .map(({ name, interval }) => part(name, "event", num(interval, "own_energy_total_joules"), num(interval, "own_seconds_total")))
    .sort((a, b) => (b.energy_joules ?? -1) - (a.energy_joules ?? -1));
  return [...inEvents, idle("idle, before", "idle_before"), idle("idle, between", "idle_between"), idle("idle, after", "idle_after"),
          part("unattributed", "unattributed", num(energy, "unattributed_joules"), num(energy, "unattributed_seconds"))];
}

function tipText(part: Part): string {
  return `${part.what}\n${si(part.energy_joules, "J", 4)}, ${percent(part.share, 3)}\n${duration(part.seconds)} of GPU time`;
}
