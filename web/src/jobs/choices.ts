// Networks and devices to choose from in forms. Requested once and cached.

import type { LiveContext } from "../page";
import type { ApiResult } from "../api/types";
import type { JsonObject } from "../documents/document";
import { num, objects, text } from "../documents/document";

export interface DeviceChoice {
  id: string;
  label: string;
  simulated: boolean;
  min: number | null; // power limit in watts
  max: number | null;
}

export interface Choices {
  networks: readonly string[]; // with their family if the name is not unique
  devices: readonly DeviceChoice[];
}

let cached: Choices | null = null;

export async function choices(context: LiveContext): Promise<ApiResult<Choices>> {
  if (cached) return { ok: true, value: cached };
  const [zoo, devices] = await Promise.all([
    context.client.document("/zoo", {}, context.signal),
    context.client.document("/devices", {}, context.signal),
  ]);
  if (!zoo.ok) return zoo;
  if (!devices.ok) return devices;
  cached = { networks: networkNames(objects(zoo.value.body, "networks")), devices: objects(devices.value.body, "devices").flatMap(deviceChoice) };
  return { ok: true, value: cached };
}

function networkNames(networks: readonly JsonObject[]): readonly string[] {
  const seen = new Set<string>();
  return networks.flatMap((network) => {
    const name = text(network, "name");
    if (name === null) return [];
    const whole = seen.has(name) ? `${text(network, "family") ?? ""}/${name}` : name;
    seen.add(name);
    return [whole];
  });
}

function deviceChoice(device: JsonObject): readonly DeviceChoice[] {
  const id = text(device, "id");
  const kind = text(device, "kind");
  if (id === null || kind === "rapl") return [];
  return [{
    id,
    label: kind === "twin" ? `${id} (twin)` : `${id}, ${text(device, "name") ?? "unnamed"}`,
    simulated: device["simulated"] === true,
    min: num(device, "power_limit_min_watts"),
    max: num(device, "power_limit_max_watts") ?? num(device, "power_limit_watts"),
  }];
}
