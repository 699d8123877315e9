// Table columns of operating points.

import type { Column } from "../base/columns";
import { clock, number, si } from "../base/format";
import type { OperatingPoint } from "./tuning";

export const pointColumns: readonly Column<OperatingPoint>[] = [
  { key: "device", label: "device" },
  { key: "clock_hertz", label: "clock", value: (point) => point.clock, format: (value, point) => `${clock(value)}${point.defaultClock ? " (default)" : ""}` },
  { key: "batch", label: "batch" },
  { key: "power_limit_watts", label: "power limit", value: (point) => point.limit, format: (value) => si(value, "W") },
  { key: "time_seconds", label: "latency", value: (point) => point.time, format: (value) => si(value, "s") },
  { key: "samples_per_second", label: "samples/s", value: (point) => point.speed, format: (value) => number(value, 4) },
  { key: "power_watts", label: "power", value: (point) => point.power, format: (value) => si(value, "W") },
  { key: "energy_per_sample_joules", label: "energy per sample", value: (point) => point.energy, format: (value) => si(value, "J") },
  { key: "energy_per_sample_joules_low", label: "low", value: (point) => point.energyInterval.low, format: (value) => si(value, "J") },
  { key: "energy_per_sample_joules_high", label: "high", value: (point) => point.energyInterval.high, format: (value) => si(value, "J") },
  { key: "source", label: "source" },
];

export function pointText(point: OperatingPoint): string {
  const limit = point.limitIsDefault ? "" : `, power limit ${si(point.limit, "W")}`;
  return `${point.device}, ${clock(point.clock)}${point.defaultClock ? " (default)" : ""}, batch ${point.batch ?? "unknown"}${limit}`;
}

export function pointTip(point: OperatingPoint): string {
  const { low, high } = point.energyInterval;
  return (
    `${pointText(point)}\nlatency ${si(point.time, "s")}, ${number(point.speed, 4)} samples/s\n` +
    `${si(point.energy, "J", 4)} per sample (${si(low, "J")} to ${si(high, "J")})\n${si(point.power, "W")}`
  );
}
