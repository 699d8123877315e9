// Response types of the server other than documents.

export interface Failure {
  kind: string; // "invalid_input", "not_found", ... of the server; "unreachable" and "cancelled" of this client
  message: string;
}

export type ApiResult<T> = { ok: true; value: T } | { ok: false; error: Failure };

export type JobState = "queued" | "running" | "done" | "failed" | "cancelled" | "interrupted";

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
  responding: boolean;
  power_watts: number | null;
  energy_joules: number | null;
  energy_since_start_joules: number | null; // since the server started
  clock_hertz: number | null;
  memory_clock_hertz: number | null;
  temperature_celsius: number | null;
  utilization: { compute: number | null; memory: number | null } | null;
  memory_used_bytes: number | null;
  memory_total_bytes: number | null;
  power_limit_watts: number | null;
  event_reasons: readonly string[] | null;
}

export interface GaugeHistory {
  uuid: string;
  time: readonly (string | number)[];
  power_watts: readonly (number | null)[];
}

export interface Gauges {
  time: string;
  started: string; // when the server started
  host: string;
  devices: readonly Gauge[];
  history: readonly GaugeHistory[];
}

export interface StoredResult {
  id: string;
  title: string;
  schema: string;
  created: string;
  simulated: boolean;
  bytes: number;
}
