import type { Decision } from "../api/types";
import type { Column } from "../base/columns";
import { clock, number, si } from "../base/format";

const seconds = (value: number) => value.toFixed(2);
const watts = (value: number) => value.toFixed(1);

export const decisionColumns: readonly Column<Decision>[] = [
  { key: "time_seconds", label: "time", unit: "s", format: seconds },
  { key: "cap_watts", label: "cap", unit: "W", format: watts },
  { key: "power_watts", label: "max power", unit: "W", format: watts },
  { key: "batch", label: "batch" },
  { key: "clock_hertz", label: "clock", format: (value) => clock(value) },
  { key: "next_batch", label: "next batch" },
  { key: "next_clock_hertz", label: "next clock", format: (value) => clock(value) },
  { key: "reason", label: "reason" },
  { key: "mean_power_watts", label: "mean power", unit: "W", format: watts },
  { key: "throughput_samples_per_second", label: "throughput", unit: "samples/s", format: (value) => number(value, 4) },
  { key: "latency_seconds", label: "latency", format: (value) => si(value, "s") },
  { key: "temperature_celsius", label: "temperature", unit: "°C", format: watts },
];
