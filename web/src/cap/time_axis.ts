// Unit of a time axis: seconds, minutes or hours.

export interface TimeAxis {
  factor: number; // divide seconds by it
  unit: string;
}

export function timeAxis(seconds: number): TimeAxis {
  if (seconds > 4 * 3600) return { factor: 3600, unit: "h" };
  return seconds > 600 ? { factor: 60, unit: "min" } : { factor: 1, unit: "s" };
}
