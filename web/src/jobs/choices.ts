// What forms offer: networks of the zoo and devices, asked for once and kept.

import type { LiveContext } from "../page";
import type { Answer } from "../api/types";
import type { JsonObject } from "../documents/document";
import { num, objects, text } from "../documents/document";

export interface DeviceChoice {
  id: string;
  label: string;
  simulated: boolean;
  least: number | null; // watts one can limit it to
  most: number | null;
}

export interface Choices {
  networks: readonly string[]; // as commands take them: later namesakes with their family
  devices: readonly DeviceChoice[];
}

let kept: Choices | null = null;

export async function choices(context: LiveContext): Promise<Answer<Choices>> {
  if (kept) return { ok: true, value: kept };
  const [zoo, devices] = await Promise.all([
    context.client.document("/zoo", {}, context.signal),
    context.client.document("/devices", {}, context.signal),
  ]);
  if (!zoo.ok) return zoo;
  if (!devices.ok) return devices;
  kept = { networks: networkNames(objects(zoo.value.body, "networks")), devices: objects(devices.value.body, "devices").flatMap(deviceChoice) };
  return { ok: true, value: kept };
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
  const name = text(device, "title") ?? text(device, "name") ?? id;
  return [{
    id,
    label: kind === "twin" ? `${id}, twin of ${name}` : `${id}, ${name}`,
    simulated: device["simulated"] === true,
    least: num(device, "power_limit_least_watts"),
    most: num(device, "power_limit_most_watts") ?? num(device, "power_limit_watts"),
  }];
}
