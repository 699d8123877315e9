// Key figures of one operating point with intervals, compared with the default clock.

import { change, clock, interval, number, si } from "../base/format";
import { facts } from "../charts/facts";
import type { Estimate } from "../documents/document";
import type { PredictedPoint } from "./prediction";
import { energyDelay, perSample } from "./prediction";

// `atDefault`: the same batch and precision at the default clock; null if unknown.
export function pointFacts(point: PredictedPoint, atDefault: PredictedPoint | null): HTMLElement {
  const fact = (label: string, { value, low, high }: Estimate, unit: string, note?: string) => ({
    label, value: si(value, unit), interval: interval(low, high, (end) => si(end, unit)), ...(note === undefined ? {} : { note }),
  });
  const speed = point.time.value === null ? null : point.batch / point.time.value;
  return facts([
    { label: "clock", value: clock(point.clock), note: `batch ${point.batch}` },
    fact("time per iteration", point.time, "s", `${number(speed, 4)} samples/s`),
    fact("power", point.power, "W"),
    fact("energy per iteration", point.energy, "J"),
    fact("energy per sample", perSample(point), "J"),
    fact("energy-delay product", energyDelay(point), "J s"),
    { label: "energy relative to the default clock", value: change(ratio(point.energy, atDefault?.energy)), note: `time ${change(ratio(point.time, atDefault?.time))}` },
  ]);
}

function ratio(here: Estimate, there: Estimate | undefined): number | null {
  return here.value === null || !there?.value ? null : here.value / there.value - 1;
}
