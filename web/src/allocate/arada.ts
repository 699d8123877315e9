// Reads ergon.reproduce.arada.

import type { JsonObject } from "../documents/document";
import { flag, num, object, objects, text } from "../documents/document";

export const methods = ["ideal", "vf-oh", "vf-oh-q", "optimal-split"] as const;
export type Method = (typeof methods)[number];

// Distinct open symbols, because schemes often coincide.
export const signs = { ideal: "circle", "vf-oh": "triangle", "vf-oh-q": "square", "optimal-split": "diamond" } as const;

export interface Result {
  accelerator: string;
  memory: string;
  network: string;
  method: Method;
  saving: number | null; // of energy, by `counting`
  bandwidth: number | null; // reduction
  slowdown: number | null; // simulated relative to planned latency
}

// Definition of the saving: the paper uses eq. 6 and the mean over layers.
export interface Counting {
  key: "energy_saving_eq6" | "energy_saving";
  over: "layer_mean" | "energy_weighted";
}

export interface Configuration {
  accelerator: string;
  memory: string;
  title: string;
  results: readonly Result[]; // of each network and method
}

export function configurationsOf(body: JsonObject, counting: Counting): readonly Configuration[] {
  return objects(body, "configurations").map((found) => {
    const accelerator = text(found, "accelerator") ?? "unknown";
    const memory = text(found, "memory") ?? "unknown";
    const results = objects(found, "networks").flatMap((network) => resultsOf(network, accelerator, memory, counting));
    return { accelerator, memory, title: `${accelerator}, ${memory}`, results };
  });
}

function resultsOf(network: JsonObject, accelerator: string, memory: string, counting: Counting): readonly Result[] {
  const name = (text(network, "name") ?? "unnamed").replace(/^.*\//, "");
  return methods.flatMap((method): readonly Result[] => {
    const schedule = objects(network, "schedules").find((each) => text(each, "method") === method && flag(each, "in_arada_time") !== true);
    if (!schedule) return [];
    const planned = num(schedule, "latency_seconds");
    const simulated = num(schedule, "latency_resimulated_seconds");
    return [{
      accelerator, memory, network: name, method,
      saving: num(object(schedule, counting.key), counting.over),
      bandwidth: num(schedule, "bandwidth_reduction"),
      slowdown: planned === null || simulated === null || planned === 0 ? null : simulated / planned - 1,
    }];
  });
}

// Mean over the networks of a configuration, as figure 5 of the paper; null if any value is unknown.
export function meanOf(results: readonly Result[], key: "saving" | "bandwidth" | "slowdown"): number | null {
  let sum = 0;
  for (const result of results) {
    const value = result[key];
    if (value === null) return null;
    sum += value;
  }
  return results.length === 0 ? null : sum / results.length;
}
