// Layers of a schedule, as ergon.allocate/1 and the tables of ergon.reproduce.arada/1 hold them, read once.

import type { JsonObject } from "../documents/document";
import { num, object, text } from "../documents/document";

export const bounds = ["memory", "compute", "balanced"] as const;
export type Bound = (typeof bounds)[number];

export interface Layer {
  place: number; // from 1
  name: string;
  bound: Bound | null;
  clock: number | null; // hertz
  clockRatio: number | null; // of the voltage, which follows the clock
  tailClock: number | null; // of the rest of the layer; null without a second clock
  tailShare: number; // of the layer's work
  bandwidth: number | null; // bytes a second
  bandwidthRatio: number | null;
  promised: number | null; // seconds
  resimulated: number | null;
  waiting: number | null;
  full: number | null; // seconds at full speed; null where the highest clock is unknown
  fullWaiting: number | null;
  energyRatio: number | null;
  energyRatioEq6: number | null;
}

export function layersOf(found: readonly JsonObject[], highestClock: number | null): readonly Layer[] {
  return found.map((body, index) => {
    const tail = object(body, "tail");
    const bound = text(body, "bound");
    const atFullSpeed = (cycles: number | null) => (cycles === null || !highestClock ? null : cycles / highestClock);
    return {
      place: index + 1,
      name: text(body, "name") ?? `layer ${index + 1}`,
      bound: bounds.find((known) => known === bound) ?? null,
      clock: num(body, "frequency_hz"),
      clockRatio: num(body, "voltage_ratio"),
      tailClock: num(tail, "frequency_hz"),
      tailShare: num(tail, "share_of_work") ?? 0,
      bandwidth: num(body, "bandwidth_bytes_per_second"),
      bandwidthRatio: num(body, "bandwidth_ratio"),
      promised: num(body, "time_seconds"),
      resimulated: num(body, "time_resimulated_seconds"),
      waiting: num(body, "stall_seconds"),
      full: atFullSpeed(num(body, "cycles_total")),
      fullWaiting: atFullSpeed(num(body, "cycles_stall")),
      energyRatio: num(body, "energy_ratio"),
      energyRatioEq6: num(body, "energy_ratio_eq6"),
    };
  });
}

// "5 Conv5, waits for memory"
export function layerTitle({ place, name, bound }: Layer): string {
  const held = { memory: "waits for memory", compute: "has bandwidth to spare", balanced: "balanced" } as const;
  return `${place} ${name}${bound === null ? "" : `, ${held[bound]}`}`;
}
