// Quantities that are drawn over the clock.

import type { ClockChart } from "./clock_chart";
import { energyDelay, perSample } from "./prediction";

export const clockCharts: readonly ClockChart[] = [
  {
    id: "predict-energy", title: "Energy per sample over the clock", key: "energy_per_sample_joules", label: "energy", unit: "J", series: 2, of: perSample, markMin: true,
    caption: "Low clocks need more time at idle power, high clocks a higher voltage; the minimum is in between.",
  },
  { id: "predict-time", title: "Time per iteration over the clock", key: "time_seconds", label: "time", unit: "s", series: 0, of: (point) => point.time, markMin: false },
  { id: "predict-power", title: "Power over the clock", key: "power_watts", label: "power", unit: "W", series: 1, of: (point) => point.power, markMin: false },
  {
    id: "predict-energy-delay", title: "EDP over the clock", key: "energy_delay_joule_seconds", label: "energy-delay product", unit: "J s", series: 3, of: energyDelay, markMin: true,
  },
];
