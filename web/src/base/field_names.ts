// Label and unit of a JSON field, from its name: "power_watts" is power in W.

export interface FieldName {
  label: string;
  unit: string;
}

const units: readonly (readonly [string, string])[] = [
  ["_bytes_per_second", "B/s"], ["_samples_per_second", "1/s"], ["_operations_per_second", "op/s"], ["_flops_per_byte", "FLOP/B"],
  ["_joule_seconds", "J s"], ["_watt_seconds", "W s"], ["_per_second", "1/s"], ["_watts", "W"], ["_joules", "J"],
  ["_seconds", "s"], ["_hertz", "Hz"], ["_bytes", "B"], ["_celsius", "°C"], ["_mhz", "MHz"], ["_kwh", "kWh"], ["_volts", "V"],
  ["_grams", "g"], ["_cycles", "cycles"],
];

export function fieldName(key: string): FieldName {
  for (const [ending, unit] of units) {
    if (key.endsWith(ending)) return { label: words(key.slice(0, -ending.length)), unit };
  }
  return { label: words(key), unit: "" };
}

function words(key: string): string {
  const text = key.replaceAll("_", " ").trim();
  return text === "" ? key : text;
}
