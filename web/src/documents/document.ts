// JSON documents. Only the head has a fixed structure. Fields are read with their type; a field that is absent, null or
// of another type is null (or an empty list), never 0.

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

export interface Provenance {
  command: readonly string[];
  created: string | null;
  commit: string | null;
  inputs: readonly string[];
  simulated: boolean;
}

export interface ErgonDocument {
  schema: string; // "ergon.predict/2"
  ergon: string | null; // the program's version
  provenance: Provenance;
  simulated: boolean; // from the provenance
  body: JsonObject; // the whole document
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// Null if it is not an Ergon document.
export function asDocument(value: unknown): ErgonDocument | null {
  if (!isObject(value)) return null;
  const schema = text(value, "schema");
  if (schema === null) return null;
  const head = object(value, "provenance") ?? {};
  const simulated = flag(head, "simulated") ?? flag(value, "simulated") ?? false;
  return {
    schema,
    ergon: text(value, "ergon"),
    provenance: {
      command: texts(head, "command"),
      created: text(head, "created"),
      commit: text(head, "commit"),
      inputs: texts(head, "inputs"),
      simulated,
    },
    simulated,
    body: value,
  };
}

export function num(from: JsonObject | null | undefined, key: string): number | null {
  const value = from?.[key];
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

export function text(from: JsonObject | null | undefined, key: string): string | null {
  const value = from?.[key];
  return typeof value === "string" ? value : null;
}

export function flag(from: JsonObject | null | undefined, key: string): boolean | null {
  const value = from?.[key];
  return typeof value === "boolean" ? value : null;
}

export function object(from: JsonObject | null | undefined, key: string): JsonObject | null {
  const value = from?.[key];
  return isObject(value) ? value : null;
}

export function list(from: JsonObject | null | undefined, key: string): readonly Json[] {
  const value = from?.[key];
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

export function objects(from: JsonObject | null | undefined, key: string): readonly JsonObject[] {
  return list(from, key).filter(isObject);
}

// Same length as the list; entries that are not numbers are null.
export function nums(from: JsonObject | null | undefined, key: string): readonly (number | null)[] {
  return list(from, key).map((value) => (typeof value === "number" && Number.isFinite(value) ? value : null));
}

export function texts(from: JsonObject | null | undefined, key: string): readonly string[] {
  return list(from, key).filter((value) => typeof value === "string");
}

// {value, low, high} or {estimate, low, high}.
export interface Estimate {
  value: number | null;
  low: number | null;
  high: number | null;
}
export function estimate(from: JsonObject | null | undefined, key: string): Estimate {
  const found = object(from, key);
  return { value: num(found, "value") ?? num(found, "estimate"), low: num(found, "low"), high: num(found, "high") };
}

// [low, high]; null if either is unknown.
export function pair(from: JsonObject | null | undefined, key: string): readonly [number, number] | null {
  const [low, high] = nums(from, key);
  return typeof low === "number" && typeof high === "number" ? [low, high] : null;
}
