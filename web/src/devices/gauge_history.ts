// Chart of the power of one device over the last ten minutes.

import { lineY, pointerX, ruleY, tip } from "@observablehq/plot";
import type { Gauge, GaugeHistory } from "../api/types";
import { withUnit } from "../base/format";
import { cssColor, cssSeries } from "../base/palette";
import { chart } from "../charts/chart";
import { timeAxis } from "./time_axis";

export interface PowerReading {
  time: Date;
  power_watts: number | null;
}

export function readingsOf(history: GaugeHistory | undefined): readonly PowerReading[] {
  if (!history) return [];
  return history.time.flatMap((time, index) => {
    const date = new Date(typeof time === "number" ? time * 1000 : time);
    return Number.isNaN(date.getTime()) ? [] : [{ time: date, power_watts: history.power_watts[index] ?? null }];
  });
}

export function gaugeHistory(gauge: Gauge, readings: () => readonly PowerReading[], limit: () => number | null): HTMLElement {
  return chart<PowerReading>({
    id: `gauge-${gauge.id}`,
    title: "Power over the last ten minutes",
    simulated: gauge.simulated,
    columns: [{ key: "time", label: "time", value: ({ time }) => time.toISOString() }, { key: "power_watts", label: "power", unit: "W" }],
    rows: readings,
    legend: [{ label: "power", color: cssSeries(0), sign: "line" }, { label: "power limit", color: cssColor("muted"), sign: "dashed" }],
    height: 200,
    draw: ({ colors, narrow }) => {
      const all = readings();
      const known = all.filter(({ power_watts }) => power_watts !== null);
      const max = limit();
      return {
        marginLeft: 52,
        x: timeAxis(all.map(({ time }) => time), narrow),
        y: { label: "power (W)", zero: true, nice: true, grid: true, ticks: 5 },
        marks: [
          ...(max === null ? [] : [ruleY([max], { stroke: colors.muted, strokeDasharray: "4 3" })]),
          lineY(all, { x: "time", y: "power_watts", stroke: colors.series[0] ?? colors.accent, strokeWidth: 1.75 }),
          tip(known, pointerX({ x: "time", y: "power_watts", title: ({ time, power_watts }: PowerReading) => `${time.toLocaleTimeString("en-GB")}\n${withUnit(power_watts, "W")}` })),
        ],
      };
    },
  });
}
