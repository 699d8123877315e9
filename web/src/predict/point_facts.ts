// The figures of one operating point with their intervals, beside the GPU's own clock.

import { change, clock, interval, number, si } from "../base/format";
import { facts } from "../charts/facts";
import type { Estimate } from "../documents/document";
import type { ForecastPoint } from "./forecast";
import { energyDelay, perSample } from "./forecast";

// `own`: the same batch and precision at the GPU's own clock; null where that is not known.
export function pointFacts(point: ForecastPoint, own: ForecastPoint | null): HTMLElement {
  const told = (label: string, { value, low, high }: Estimate, unit: string, note?: string) => ({
    label, value: si(value, unit), interval: interval(low, high, (end) => si(end, unit)), ...(note === undefined ? {} : { note }),
  });
  const speed = point.time.value === null ? null : point.batch / point.time.value;
  return facts([
    { label: "clock", value: clock(point.clock), note: `batch ${point.batch}` },
    told("time of an iteration", point.time, "s", `${number(speed, 4)} samples a second`),
    told("power", point.power, "W"),
    told("energy of an iteration", point.energy, "J"),
    told("energy of a sample", perSample(point), "J"),
    told("energy × time", energyDelay(point), "J s"),
    { label: "energy against its own clock", value: change(ratio(point.energy, own?.energy)), note: `time ${change(ratio(point.time, own?.time))}` },
  ]);
}

function ratio(here: Estimate, there: Estimate | undefined): number | null {
  return here.value === null || !there?.value ? null : here.value / there.value - 1;
}
