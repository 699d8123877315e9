// The roofs of GPUs: how fast they compute and how fast they read. From the report's ergon.devices/1 or, live, from
// the server; none where neither is there.

import type { ErgonDocument } from "../documents/document";
import { num, object, objects, text } from "../documents/document";
import { embeddedDocuments } from "../documents/embedded";
import type { ViewContext } from "../documents/views";
import type { LiveContext } from "../page";

export interface Device {
  id: string;
  title: string;
  peaks: ReadonlyMap<string, number>; // operations a second by precision
  bandwidth: number; // bytes a second
}

export interface Roof {
  device: string;
  precision: string; // that it computes with: fp32 where it lacks the one asked for
  peak: number;
  bandwidth: number;
}

export const precisions = ["tf32", "fp32", "bf16", "fp16"] as const;

export function isLive(context: ViewContext): context is LiveContext {
  return "client" in context;
}

export async function devicesFor(context: ViewContext): Promise<readonly Device[]> {
  if (!isLive(context)) return readDevices(embeddedDocuments().find(({ schema }) => schema === "ergon.devices/1") ?? null);
  const answer = await context.client.document("/devices", {}, context.signal);
  return answer.ok ? readDevices(answer.value) : [];
}

export function readDevices(document: ErgonDocument | null): readonly Device[] {
  return objects(document?.body, "devices").flatMap((device): Device[] => {
    const id = text(device, "id");
    const bandwidth = num(device, "bandwidth_bytes_per_second");
    const told = object(device, "peak_operations_per_second") ?? {};
    const peaks = new Map(Object.keys(told).flatMap((key) => (num(told, key) === null ? [] : [[key, num(told, key) ?? 0] as const])));
    return id === null || bandwidth === null || peaks.size === 0 ? [] : [{ id, title: text(device, "title") ?? id, peaks, bandwidth }];
  });
}

export function roofOf(device: Device, precision: string): Roof | null {
  const own = device.peaks.has(precision) ? precision : "fp32";
  const peak = device.peaks.get(own);
  return peak === undefined ? null : { device: device.id, precision: own, peak, bandwidth: device.bandwidth };
}

// Documents count four bytes for each number.
export function bytesPerNumber(precision: string): number {
  return precision === "bf16" || precision === "fp16" ? 2 : 4;
}
