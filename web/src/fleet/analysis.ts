// Reads a fleet analysis (ergon.fleet, and both in ergon.reproduce.terascope).

import type { JsonObject } from "../documents/document";
import { num, object, objects, text } from "../documents/document";

export const metrics = [
  { key: "power_watts", name: "power", unit: "W" },
  { key: "utilization", name: "utilization", unit: "%" },
  { key: "temperature_celsius", name: "temperature", unit: "°C" },
  { key: "memory", name: "memory", unit: "%" },
] as const;
export type Metric = (typeof metrics)[number];

// All events with one name, or all tasks of one level.
export interface EventGroup {
  name: string;
  n: number | null;
  seconds: Durations;
  nearest: JsonObject | null;
  interval: JsonObject | null;
}

export interface Durations {
  mean: number | null;
  low: number | null; // 95 % interval of the mean
  high: number | null;
  p50: number | null;
  p95: number | null;
  p99: number | null;
  min: number | null;
  max: number | null;
}

export interface Gpu {
  host: string;
  uuid: string | null;
  population: number | null; // index in clusters[], fastest first
  render_seconds: number | null;
  tasks: number | null;
  body: JsonObject;
}

export function eventGroups(analysis: JsonObject): readonly EventGroup[] {
  return objects(analysis, "events").map((body) => groupOf(body, text(body, "name") ?? "unnamed"));
}

export function levelGroups(analysis: JsonObject): readonly EventGroup[] {
  return objects(analysis, "levels").map((body) => groupOf(body, `level ${num(body, "level") ?? text(body, "level") ?? "unknown"}`));
}

export function listedGpus(analysis: JsonObject): readonly Gpu[] {
  return objects(object(analysis, "gpus"), "list").map((body) => ({
    host: text(body, "host") ?? "unknown",
    uuid: text(body, "uuid"),
    population: num(body, "cluster"),
    render_seconds: num(body, "render_seconds"),
    tasks: num(body, "tasks"),
    body,
  }));
}

// Name of a group of GPUs, in the order of the document.
export function populationName(index: number | null, populations: number): string {
  if (index === null || populations < 2) return "all GPUs";
  if (populations === 2) return index === 0 ? "faster group" : "slower group";
  return `group ${index + 1}`;
}

function groupOf(body: JsonObject, name: string): EventGroup {
  return { name, n: num(body, "n"), seconds: durationsOf(object(body, "duration_ms")), nearest: object(body, "nearest"), interval: object(body, "interval") };
}

function durationsOf(milliseconds: JsonObject | null): Durations {
  const seconds = (key: string) => {
    const value = num(milliseconds, key);
    return value === null ? null : value / 1000;
  };
  return {
    mean: seconds("mean"), low: seconds("low"), high: seconds("high"), p50: seconds("p50"), p95: seconds("p95"), p99: seconds("p99"),
    min: seconds("min"), max: seconds("max"),
  };
}
