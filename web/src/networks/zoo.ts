// Reads the networks of ergon.zoo.

import type { JsonObject } from "../documents/document";
import { list, num, objects, text } from "../documents/document";

export interface ZooNetwork {
  id: string; // name for commands: family/name if the name is not unique
  name: string;
  family: string;
  input: string;
  tokens: boolean; // language model: its input size is `sequence`
  layers: number | null;
  depth: number | null;
  params: number | null;
  macs: number | null;
  activations: number | null;
  neurons: number | null;
}

export function readZoo(body: JsonObject): readonly ZooNetwork[] {
  const taken = new Set<string>();
  return objects(body, "networks").map((network) => {
    const name = text(network, "name") ?? "unnamed";
    const family = text(network, "family") ?? "unknown";
    const id = taken.has(name.toLowerCase()) ? `${family}/${name}` : name;
    taken.add(name.toLowerCase());
    const shape = list(network, "input");
    return {
      id, name, family,
      input: shape.join(" × "),
      tokens: shape.length === 1,
      layers: num(network, "layers"),
      depth: num(network, "depth"),
      params: num(network, "params"),
      macs: num(network, "macs"),
      activations: num(network, "activations"),
      neurons: num(network, "neurons"),
    };
  });
}
