// Hosts: task duration, outliers, changes and clock offsets.

import type { Column } from "../base/columns";
import { count, duration, instant, number, percent, si, withUnit } from "../base/format";
import { h } from "../base/dom";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { flag, num, object, objects, text } from "../documents/document";
import { hostsChart } from "./hosts_chart";

export interface Host {
  name: string;
  seconds: number | null;
  low: number | null;
  high: number | null;
  z: number | null;
  anomalies: readonly string[];
  body: JsonObject;
}

// Robust z-score limit relative to the group's median; see docs/fleet.md.
export const outlierDeviations = 3.5;

const of = (key: string) => ({ body }: Host) => num(body, key);

const columns: readonly Column<Host>[] = [
  { key: "name", label: "host" },
  { key: "anomalies", label: "anomalies", value: (host) => host.anomalies.join("; ") },
  { key: "z", label: "z-score", value: (host) => host.z },
  { key: "tasks", label: "tasks", value: of("tasks"), format: (value) => count(value) },
  { key: "task_seconds", label: "task duration", value: (host) => host.seconds, format: (value) => si(value, "s", 4) },
  { key: "power_watts", label: "power", value: of("power_watts"), format: (value) => si(value, "W") },
  { key: "temperature_celsius", label: "temperature", value: of("temperature_celsius"), format: (value) => withUnit(value, "°C", 3) },
  { key: "utilization_percent", label: "utilization", value: of("utilization"), format: (value) => withUnit(value, "%", 3) },
  { key: "memory_percent", label: "memory", value: of("memory"), format: (value) => withUnit(value, "%", 3) },
  { key: "energy_joules", label: "energy", value: of("energy_joules"), format: (value) => si(value, "J") },
  { key: "idle_share", label: "idle energy", value: ({ body }) => quotient(num(body, "idle_joules"), num(body, "energy_joules")), format: (value) => percent(value) },
  { key: "unattributed_share", label: "unattributed energy", value: ({ body }) => quotient(num(body, "unattributed_joules"), num(body, "energy_joules")), format: (value) => percent(value) },
  { key: "idle_seconds", label: "idle time", value: of("idle_seconds"), format: duration },
  { key: "gpus", label: "GPUs", value: of("gpus") },
  { key: "duplicates", label: "duplicated rows", value: of("duplicates"), format: (value) => count(value) },
];

export function hostsSection(analysis: JsonObject, simulated: boolean): HTMLElement | null {
  const hosts = objects(analysis, "hosts").map(asHost);
  if (hosts.length === 0) return null;
  const abnormal = hosts.filter((host) => host.anomalies.length > 0);
  const order = [...hosts].sort((a, b) => b.anomalies.length - a.anomalies.length || Math.abs(b.z ?? 0) - Math.abs(a.z ?? 0));
  return h(
    "section",
    null,
    h("h2", null, "Hosts"),
    h("p", { class: "lead" }, abnormal.length === 0 ? "No anomalies." : `Hosts with anomalies: ${abnormal.length} of ${hosts.length}. They are listed first.`),
    hostsChart(hosts, simulated),
    table({ label: "Hosts, those with anomalies first", columns, rows: order, csvName: "fleet-hosts", simulated }),
  );
}

function asHost(body: JsonObject): Host {
  const seconds = object(body, "task_seconds");
  const z = num(body, "z");
  return { name: text(body, "name") ?? "unnamed", seconds: num(seconds, "mean"), low: num(seconds, "low"), high: num(seconds, "high"), z, anomalies: anomaliesOf(body, z), body };
}

function anomaliesOf(body: JsonObject, z: number | null): readonly string[] {
  const change = object(body, "change");
  const skew = num(body, "skew_seconds");
  const found: string[] = [];
  if (z !== null && Math.abs(z) >= outlierDeviations) found.push(z > 0 ? "slower than its group" : "faster than its group");
  if (change) found.push(`changed at ${instant(text(change, "at"))}: ${number(num(change, "before_seconds"), 4)} to ${si(num(change, "after_seconds"), "s", 4)} per task`);
  if (skew !== null) found.push(`telemetry clock ${si(Math.abs(skew), "s")} ${skew > 0 ? "ahead" : "behind"}`);
  if (flag(body, "skew_unclear") === true) found.push("telemetry does not match the events");
  return found;
}

function quotient(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole === 0 ? null : part / whole;
}
