// The quantities that are drawn over the clock.

import type { ClockChart } from "./clock_chart";
import { energyDelay, perSample } from "./forecast";

export const clockCharts: readonly ClockChart[] = [
  {
    id: "predict-energy", title: "Energy of a sample over the clock", key: "energy_per_sample_joules", label: "energy", unit: "J", series: 2, of: perSample, bottom: true,
    caption: "Slow clocks pay for power that runs on, fast ones for a higher voltage: in between it costs least.",
  },
  { id: "predict-time", title: "Time of an iteration over the clock", key: "time_seconds", label: "time", unit: "s", series: 0, of: (point) => point.time, bottom: false },
  { id: "predict-power", title: "Power over the clock", key: "power_watts", label: "power", unit: "W", series: 1, of: (point) => point.power, bottom: false },
  {
    id: "predict-energy-delay", title: "Energy times time of an iteration over the clock", key: "energy_delay_joule_seconds", label: "energy × time", unit: "J s", series: 3, of: energyDelay, bottom: true,
  },
];
