// Power of one device over the last ten minutes.

import { lineY, pointerX, ruleY, tip } from "@observablehq/plot";
import type { Gauge, GaugeHistory } from "../api/types";
import { withUnit } from "../base/format";
import { cssColour, cssSeries } from "../base/palette";
import { chart } from "../charts/chart";

export interface Reading {
  time: Date;
  power_watts: number | null;
}

export function readingsOf(history: GaugeHistory | undefined): readonly Reading[] {
  if (!history) return [];
  return history.time.flatMap((time, index) => {
    const date = new Date(typeof time === "number" ? time * 1000 : time);
    return Number.isNaN(date.getTime()) ? [] : [{ time: date, power_watts: history.power_watts[index] ?? null }];
  });
}

export function gaugeHistory(gauge: Gauge, readings: () => readonly Reading[], limit: () => number | null): HTMLElement {
  return chart<Reading>({
    id: `gauge-${gauge.id}`,
    title: "Power over the last ten minutes",
    simulated: gauge.simulated,
    columns: [{ key: "time", label: "time", value: ({ time }) => time.toISOString() }, { key: "power_watts", label: "power", unit: "W" }],
    rows: readings,
    legend: [{ label: "power", colour: cssSeries(0), sign: "line" }, { label: "limit", colour: cssColour("muted"), sign: "dashed" }],
    height: 200,
    draw: ({ colours, narrow }) => {
      const all = readings();
      const known = all.filter(({ power_watts }) => power_watts !== null);
      const last = all[all.length - 1]?.time ?? new Date();
      const first = all[0]?.time ?? last;
      // A line needs some width from the first reading on.
      const from = new Date(Math.min(first.getTime(), last.getTime() - 60_000));
      const short = last.getTime() - from.getTime() > 180_000 ? ({ hour: "2-digit", minute: "2-digit" } as const) : ({} as const);
      const most = limit();
      return {
        marginLeft: 52,
        x: { type: "time", label: "time", domain: [from, last], ticks: narrow ? 3 : 6, tickFormat: (time: Date) => time.toLocaleTimeString("en-GB", short) },
        y: { label: "power (W)", zero: true, nice: true, grid: true, ticks: 5 },
        marks: [
          ...(most === null ? [] : [ruleY([most], { stroke: colours.muted, strokeDasharray: "4 3" })]),
          lineY(all, { x: "time", y: "power_watts", stroke: colours.series[0] ?? colours.accent, strokeWidth: 1.75 }),
          tip(known, pointerX({ x: "time", y: "power_watts", title: ({ time, power_watts }: Reading) => `${time.toLocaleTimeString("en-GB")}\n${withUnit(power_watts, "W")}` })),
        ],
      };
    },
  });
}
