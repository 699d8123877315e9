// Reads the layers of ergon.simulate.

import type { JsonObject } from "../documents/document";
import { num, object, objects, text } from "../documents/document";

export interface SimulatedLayer {
  index: number; // from 1
  name: string;
  macs: number | null;
  cycles: number | null; // including stalls
  stalls: number | null;
  seconds: number | null;
  utilization: number | null; // percent of the PEs, over all cycles
  mapping: number | null; // percent of the PEs that are mapped
  words: number | null; // memory traffic
  compute_joules: number | null;
  scratchpads_joules: number | null;
  memory_joules: number | null;
  total_joules: number | null;
}

export function simulatedLayers(body: JsonObject): readonly SimulatedLayer[] {
  return objects(body, "layers").map((layer, index) => {
    const energy = object(layer, "energy");
    return {
      index: index + 1,
      name: text(layer, "name") ?? `layer ${index + 1}`,
      macs: num(layer, "macs"),
      cycles: num(layer, "cycles"),
      stalls: num(layer, "stall_cycles"),
      seconds: num(layer, "seconds"),
      utilization: num(layer, "utilization_percent"),
      mapping: num(layer, "mapping_efficiency_percent"),
      words: memoryWords(layer),
      compute_joules: num(energy, "compute_joules"),
      scratchpads_joules: num(energy, "scratchpads_joules"),
      memory_joules: num(energy, "memory_joules"),
      total_joules: num(energy, "total_joules"),
    };
  });
}

function memoryWords(layer: JsonObject): number | null {
  const memory = object(layer, "memory");
  const parts = ["ifmap", "filter", "ofmap"].map((part) => num(object(memory, part), "words"));
  return parts.every((part) => part !== null) ? parts.reduce((sum, part) => sum + part, 0) : null;
}
