import type { Column } from "../base/columns";
import { change, number, percent } from "../base/format";
import { table } from "../charts/table";
import { num } from "../documents/document";
import type { SweptNetwork } from "./evaluation";
import { notesOf } from "./evaluation";

const of = (key: string) => (network: SweptNetwork) => num(network.body, key);
const mhz = (value: number) => number(value, 4);

const columns: readonly Column<SweptNetwork>[] = [
  { key: "network", label: "network", value: (network) => network.title },
  { key: "batch", label: "batch", value: of("batch") },
  { key: "runs", label: "runs", value: of("runs") },
  { key: "knee_mhz", label: "knee", unit: "MHz", value: (network) => network.knee, format: mhz },
  { key: "best_energy_clock_mhz", label: "min-energy clock", unit: "MHz", value: (network) => network.bestEnergy, format: mhz },
  { key: "best_edp_clock_mhz", label: "min-EDP clock", unit: "MHz", value: (network) => network.bestEdp, format: mhz },
  { key: "energy_saving", label: "energy saved", value: of("energy_saving"), format: (value) => percent(value) },
  { key: "time_cost", label: "slowdown", value: of("time_cost"), format: (value) => change(value) },
  { key: "relative_time_max", label: "max relative time", value: of("relative_time_max") },
  { key: "r_power_clock", label: "r power, clock", value: (network) => network.powerClock.value },
  { key: "r_time_clock", label: "r time, clock", value: (network) => network.timeClock.value },
  { key: "cv_time_max", label: "max CV of time", value: of("cv_time_max"), format: (value) => percent(value, 2) },
  { key: "cv_power_max", label: "max CV of power", value: of("cv_power_max"), format: (value) => percent(value, 2) },
  { key: "notes", label: "notes", value: (network) => notesOf(network).join("; ") },
];

export function networksTable(networks: readonly SweptNetwork[], simulated: boolean): HTMLElement {
  return table({ label: "Networks of the sweep", columns, rows: networks, csvName: "sweep-networks", simulated });
}
