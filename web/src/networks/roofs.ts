// Peak rates and bandwidths of devices, from the report's ergon.devices document or from the server.

import type { ErgonDocument } from "../documents/document";
import { num, object, objects, text } from "../documents/document";
import { embeddedDocuments } from "../documents/embedded";
import type { ViewContext } from "../documents/views";
import type { LiveContext } from "../page";

export interface Device {
  id: string;
  title: string;
  peaks: ReadonlyMap<string, number>; // operations per second by precision
  bandwidth: number; // bytes per second
}

export interface Roof {
  device: string;
  precision: string; // fp32 if the device does not support the requested one
  peak: number;
  bandwidth: number;
}

export const precisions = ["tf32", "fp32", "bf16", "fp16"] as const;

export function isLive(context: ViewContext): context is LiveContext {
  return "client" in context;
}

export async function devicesFor(context: ViewContext): Promise<readonly Device[]> {
  if (!isLive(context)) return readDevices(embeddedDocuments().find(({ schema }) => schema === "ergon.devices/2") ?? null);
  const answer = await context.client.document("/devices", {}, context.signal);
  return answer.ok ? readDevices(answer.value) : [];
}

export function readDevices(document: ErgonDocument | null): readonly Device[] {
  return objects(document?.body, "devices").flatMap((device): Device[] => {
    const id = text(device, "id");
    const bandwidth = num(device, "bandwidth_bytes_per_second");
    const rates = object(device, "peak_operations_per_second") ?? {};
    const peaks = new Map(Object.keys(rates).flatMap((key) => (num(rates, key) === null ? [] : [[key, num(rates, key) ?? 0] as const])));
    return id === null || bandwidth === null || peaks.size === 0 ? [] : [{ id, title: text(device, "title") ?? id, peaks, bandwidth }];
  });
}

export function roofOf(device: Device, precision: string): Roof | null {
  const used = device.peaks.has(precision) ? precision : "fp32";
  const peak = device.peaks.get(used);
  return peak === undefined ? null : { device: device.id, precision: used, peak, bandwidth: device.bandwidth };
}

// Documents count four bytes per value.
export function bytesPerNumber(precision: string): number {
  return precision === "bf16" || precision === "fp16" ? 2 : 4;
}
