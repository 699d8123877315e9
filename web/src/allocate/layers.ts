// Reads layers of a schedule from ergon.allocate and ergon.reproduce.arada.

import type { JsonObject } from "../documents/document";
import { num, object, text } from "../documents/document";

export const bounds = ["memory", "compute", "balanced"] as const;
export type Bound = (typeof bounds)[number];

export const boundNames: Readonly<Record<Bound, string>> = { memory: "memory-bound", compute: "compute-bound", balanced: "balanced" };

export interface Layer {
  index: number; // from 1
  name: string;
  bound: Bound | null;
  clock: number | null; // hertz
  voltageRatio: number | null; // to the voltage at the highest clock
  tailClock: number | null; // second clock of the layer; null if there is none
  tailShare: number; // share of the layer's work at the second clock
  bandwidth: number | null; // bytes per second
  bandwidthRatio: number | null;
  planned: number | null; // seconds
  resimulated: number | null;
  stalled: number | null;
  full: number | null; // seconds at the highest clock; null if that is unknown
  fullStalled: number | null;
  energyRatio: number | null;
  energyRatioEq6: number | null;
}

export function layersOf(found: readonly JsonObject[], highestClock: number | null): readonly Layer[] {
  return found.map((body, index) => {
    const tail = object(body, "tail");
    const bound = text(body, "bound");
    const atHighestClock = (cycles: number | null) => (cycles === null || !highestClock ? null : cycles / highestClock);
    return {
      index: index + 1,
      name: text(body, "name") ?? `layer ${index + 1}`,
      bound: bounds.find((known) => known === bound) ?? null,
      clock: num(body, "frequency_hz"),
      voltageRatio: num(body, "voltage_ratio"),
      tailClock: num(tail, "frequency_hz"),
      tailShare: num(tail, "share_of_work") ?? 0,
      bandwidth: num(body, "bandwidth_bytes_per_second"),
      bandwidthRatio: num(body, "bandwidth_ratio"),
      planned: num(body, "time_seconds"),
      resimulated: num(body, "time_resimulated_seconds"),
      stalled: num(body, "stall_seconds"),
      full: atHighestClock(num(body, "cycles_total")),
      fullStalled: atHighestClock(num(body, "cycles_stall")),
      energyRatio: num(body, "energy_ratio"),
      energyRatioEq6: num(body, "energy_ratio_eq6"),
    };
  });
}

// "5 Conv5, memory-bound"
export function layerTitle({ index, name, bound }: Layer): string {
  return `${index} ${name}${bound === null ? "" : `, ${boundNames[bound]}`}`;
}
