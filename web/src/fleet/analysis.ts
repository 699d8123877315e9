// What the page draws of an analysis of a fleet (ergon.fleet/1, and the two inside ergon.reproduce.terascope/1), read once.

import type { JsonObject } from "../documents/document";
import { num, object, objects, text } from "../documents/document";

export const metrics = [
  { key: "power_watts", name: "power", unit: "W" },
  { key: "utilisation", name: "utilisation", unit: "%" },
  { key: "temperature_celsius", name: "temperature", unit: "°C" },
  { key: "memory", name: "memory", unit: "%" },
] as const;
export type Metric = (typeof metrics)[number];

// An event by its name, or the tasks of a zoom level.
export interface Kind {
  name: string;
  n: number | null;
  seconds: Spread;
  nearest: JsonObject | null;
  interval: JsonObject | null;
}

export interface Spread {
  mean: number | null;
  low: number | null; // 95 %
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
  population: number | null; // place in clusters[], the faster first
  render_seconds: number | null;
  tasks: number | null;
  body: JsonObject;
}

export function eventKinds(analysis: JsonObject): readonly Kind[] {
  return objects(analysis, "events").map((body) => kind(body, text(body, "name") ?? "unnamed"));
}

export function levelKinds(analysis: JsonObject): readonly Kind[] {
  return objects(analysis, "levels").map((body) => kind(body, `level ${num(body, "level") ?? text(body, "level") ?? "unknown"}`));
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

// Names of the two kinds of GPUs, as the document orders them.
export function populationName(index: number | null, populations: number): string {
  if (index === null || populations < 2) return "all GPUs";
  if (populations === 2) return index === 0 ? "faster population" : "slower population";
  return `population ${index + 1}`;
}

function kind(body: JsonObject, name: string): Kind {
  return { name, n: num(body, "n"), seconds: spread(object(body, "duration_ms")), nearest: object(body, "nearest"), interval: object(body, "interval") };
}

function spread(milliseconds: JsonObject | null): Spread {
  const seconds = (key: string) => {
    const value = num(milliseconds, key);
    return value === null ? null : value / 1000;
  };
  return {
    mean: seconds("mean"), low: seconds("low"), high: seconds("high"), p50: seconds("p50"), p95: seconds("p95"), p99: seconds("p99"),
    min: seconds("min"), max: seconds("max"),
  };
}
