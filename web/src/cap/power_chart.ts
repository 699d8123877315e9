// Power and cap over time, as figure 7 of the BatchSizer paper.

import { areaY, dot, lineY, pointerX, tip } from "@observablehq/plot";
import type { Decision } from "../api/types";
import { clock, count, withUnit } from "../base/format";
import { cssColor, cssSeries } from "../base/palette";
import { chart } from "../charts/chart";
import { decisionColumns } from "./decision_columns";
import type { CapStep, Run } from "./run";
import { capBefore } from "./run";
import { timeAxis } from "./time_axis";

export function powerChart(id: string, run: () => Run): HTMLElement {
  return chart<Decision>({
    id: `${id}-power`,
    title: "Power and cap",
    caption: "One point per decision: max and mean reading since the previous decision. The shaded area is unused power.",
    simulated: run().simulated,
    columns: decisionColumns,
    rows: () => run().decisions,
    legend: [
      { label: "cap", color: cssColor("text"), sign: "line" },
      { label: "max reading", color: cssSeries(0), sign: "dot" },
      { label: "mean", color: cssSeries(2), sign: "line" },
      { label: "reading above the cap", color: cssColor("bad"), sign: "dot" },
    ],
    draw: ({ colors, narrow }) => {
      const { decisions, caps, end_seconds, axis_seconds } = run();
      const axis = timeAxis(axis_seconds);
      const time = (at: { time_seconds: number }) => at.time_seconds / axis.factor;
      const known = decisions.filter((decision) => decision.power_watts !== null);
      const above = (decision: Decision) => (decision.power_watts ?? 0) > (capBefore(caps, decision.time_seconds) ?? Infinity);
      const many = known.length > 200;
      const capLine = capsUntil(caps, end_seconds);
      const room = known.map((decision) => ({ ...decision, cap: capBefore(caps, decision.time_seconds) })).filter((decision) => decision.cap !== null);
      return {
        x: { label: `time (${axis.unit})`, grid: !narrow, domain: [0, axis_seconds / axis.factor] },
        y: { label: "power (W)", zero: true, nice: true, grid: true },
        marks: [
          areaY(room, { x: time, y1: "power_watts", y2: "cap", curve: "step-before", fill: colors.muted, fillOpacity: 0.12 }),
          lineY(capLine, { x: time, y: "cap_watts", curve: "step-after", stroke: colors.text, strokeWidth: 2 }),
          lineY(decisions, { x: time, y: "mean_power_watts", stroke: colors.series[2] ?? colors.good, strokeWidth: many ? 1 : 2 }),
          ...(many ? [] : [lineY(known, { x: time, y: "power_watts", stroke: colors.series[0] ?? colors.accent, strokeWidth: 1, strokeOpacity: 0.5 })]),
          dot(known, { x: time, y: "power_watts", fill: (decision: Decision) => (above(decision) ? colors.bad : (colors.series[0] ?? colors.accent)), symbol: (decision: Decision) => (above(decision) ? "triangle" : "circle"), r: (decision: Decision) => (above(decision) ? 5 : many ? 1.5 : 3) }),
          tip(known, pointerX({ x: time, y: "power_watts", title: (decision: Decision) => tipText(decision, capBefore(caps, decision.time_seconds)), lineWidth: narrow ? 12 : 26 })),
        ],
      };
    },
  });
}

function capsUntil(caps: readonly CapStep[], end: number): readonly CapStep[] {
  const last = caps[caps.length - 1];
  return last && end > last.time_seconds ? [...caps, { time_seconds: end, cap_watts: last.cap_watts }] : caps;
}

function tipText(decision: Decision, cap: number | null): string {
  return [
    withUnit(decision.time_seconds, "s"),
    `max ${withUnit(decision.power_watts, "W")}, mean ${withUnit(decision.mean_power_watts, "W")}, cap ${withUnit(cap, "W")}`,
    `batch ${count(decision.batch)}, ${clock(decision.clock_hertz)}`,
    decision.reason ?? "",
  ].join("\n");
}
