// Reads ergon.reproduce.batchsizer.

import type { JsonObject } from "../documents/document";
import { num, object, objects, text } from "../documents/document";

export const controllerNames = ["batchsizer", "dvfs", "batchsizer+", "joint", "joint_without_prior"] as const;
export type ControllerName = (typeof controllerNames)[number];

export const controllerLabels: Readonly<Record<ControllerName, string>> = {
  batchsizer: "BatchSizer",
  dvfs: "DVFS",
  "batchsizer+": "batchsizer+",
  joint: "joint",
  joint_without_prior: "joint, without prior",
};

// Result of a controller in a job.
export interface ControllerResult {
  job: number;
  name: string; // "1 IncV1, ImageNet"
  controller: ControllerName;
  cap_watts: number | null;
  throughput: number | null;
  share_of_best: number | null;
  power_max_watts: number | null;
  power_mean_watts: number | null;
  mean_batch: number | null;
  mean_clock_mhz: number | null;
  violation_seconds: number | null;
  settle_seconds: number | null;
}

export interface PaperJob {
  job: number;
  name: string;
  cap_watts: number | null;
  gain: number | null; // of BatchSizer over DVFS
  best: number | null; // throughput of the oracle
  best_power_watts: number | null;
  results: readonly ControllerResult[];
}

export function paperJobs(body: JsonObject): readonly PaperJob[] {
  return objects(body, "jobs").map((entry, index) => {
    const job = num(entry, "job") ?? index + 1;
    const name = `${job} ${text(entry, "name") ?? ""}, ${text(entry, "dataset") ?? ""}`;
    const cap_watts = num(entry, "cap_watts");
    const oracle = object(entry, "oracle");
    const controllers = object(entry, "controllers");
    return {
      job,
      name,
      cap_watts,
      gain: num(entry, "gain"),
      best: num(oracle, "throughput_samples_per_second"),
      best_power_watts: num(oracle, "power_watts"),
      results: controllerNames.flatMap((controller): ControllerResult[] => {
        const found = object(controllers, controller);
        if (!found) return [];
        return [{
          job, name, controller, cap_watts,
          throughput: num(found, "throughput_samples_per_second"),
          share_of_best: num(found, "share_of_best"),
          power_max_watts: num(found, "power_max_watts"),
          power_mean_watts: num(found, "power_mean_watts"),
          mean_batch: num(found, "mean_batch"),
          mean_clock_mhz: num(found, "mean_clock_mhz"),
          violation_seconds: num(found, "violation_seconds"),
          settle_seconds: num(found, "settle_seconds"),
        }];
      }),
    };
  });
}
