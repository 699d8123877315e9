// What the server answers besides documents.

export interface Failure {
  kind: string; // "invalid_input", "not_found", ...; here also "away" (no answer), "cancelled" and "permission"
  message: string;
}

export type Answer<T> = { ok: true; value: T } | { ok: false; error: Failure };

export type JobState = "running" | "done" | "failed" | "cancelled" | "interrupted";

export interface Progress {
  label: string;
  done: number;
  total: number; // 0: unknown
  unit: string;
}

export interface Job {
  id: string;
  command: string;
  title: string;
  state: JobState;
  created: string;
  ended: string | null;
  exit_code: number | null;
  message: string | null;
  progress: Progress | null;
  resumable: boolean;
  cap_watts: number | null;
  result: boolean;
  options: Readonly<Record<string, unknown>>;
  simulated: boolean;
}

export interface Decision {
  time_seconds: number;
  batch: number | null;
  clock_hertz: number | null;
  power_watts: number | null;
  mean_power_watts: number | null;
  cap_watts: number | null;
  throughput_samples_per_second: number | null;
  latency_seconds: number | null;
  temperature_celsius: number | null;
  next_batch: number | null;
  next_clock_hertz: number | null;
  reason: string | null;
}

export interface Gauge {
  id: string;
  uuid: string;
  name: string;
  kind: "nvml" | "rapl" | "twin";
  simulated: boolean;
  power_watts: number | null;
  energy_joules: number | null;
  clock_hertz: number | null;
  memory_clock_hertz: number | null;
  temperature_celsius: number | null;
  utilisation: { compute: number | null; memory: number | null } | null;
  memory_used_bytes: number | null;
  memory_total_bytes: number | null;
  power_limit_watts: number | null;
  event_reasons: readonly string[];
}

export interface GaugeHistory {
  uuid: string;
  time: readonly (string | number)[];
  power_watts: readonly (number | null)[];
}

export interface Gauges {
  time: string;
  host: string;
  devices: readonly Gauge[];
  history: readonly GaugeHistory[];
}

export interface KeptResult {
  id: string;
  title: string;
  schema: string;
  created: string;
  simulated: boolean;
  bytes: number;
}
