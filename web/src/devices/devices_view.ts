// View of ergon.devices: devices of this machine and twins.

import type { Column } from "../base/columns";
import { h } from "../base/dom";
import { bytes, clock, number } from "../base/format";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { flag, num, object, objects, text, texts } from "../documents/document";
import type { View } from "../documents/views";
import { accuracyChart, accuracyRows, accuracyTable } from "./accuracy";

const rate = (precision: string): Column<JsonObject> => ({
  key: `peak_${precision}_operations_per_second`,
  label: `peak ${precision}`,
  unit: "TFLOP/s",
  value: (device) => num(object(device, "peak_operations_per_second"), precision),
  format: (value) => number(value / 1e12),
});
const watts = (value: number) => number(value, 4);
const megahertz = (value: number) => number(value / 1e6, 4);

const twinColumns: readonly Column<JsonObject>[] = [
  { key: "id", label: "twin" },
  { key: "title", label: "GPU" },
  { key: "chip", label: "chip" },
  { key: "multiprocessors", label: "multiprocessors" },
  ...["fp32", "tf32", "bf16", "fp16"].map(rate),
  { key: "memory_bytes", label: "memory", unit: "GiB", format: (value) => number(value / 2 ** 30) },
  { key: "bandwidth_bytes_per_second", label: "bandwidth", unit: "GB/s", format: (value) => number(value / 1e9) },
  { key: "clock_min_hertz", label: "min clock", unit: "MHz", format: megahertz },
  { key: "clock_max_hertz", label: "max clock", unit: "MHz", format: megahertz },
  { key: "power_limit_min_watts", label: "min power limit", unit: "W", format: watts },
  { key: "power_limit_default_watts", label: "default power limit", unit: "W", format: watts },
  { key: "power_limit_max_watts", label: "max power limit", unit: "W", format: watts },
];

const machineColumns: readonly Column<JsonObject>[] = [
  { key: "id", label: "device" },
  { key: "name", label: "name" },
  { key: "kind", label: "interface" },
  { key: "simulated", label: "simulated", value: (device) => flag(device, "simulated") },
  { key: "power_limit_watts", label: "power limit", unit: "W", format: watts },
  { key: "power_limit_min_watts", label: "min power limit", unit: "W", format: watts },
  { key: "power_limit_max_watts", label: "max power limit", unit: "W", format: watts },
  { key: "core_min_hertz", label: "min clock", value: (device) => num(object(device, "clocks"), "core_min_hertz"), format: (value) => clock(value) },
  { key: "core_max_hertz", label: "max clock", value: (device) => num(object(device, "clocks"), "core_max_hertz"), format: (value) => clock(value) },
  { key: "memory_total_bytes", label: "memory", format: (value) => bytes(value) },
  { key: "power_fields", label: "power fields", value: (device) => texts(object(device, "capabilities"), "power").join(", ") },
  { key: "energy_counter", label: "energy counter", value: (device) => flag(object(device, "capabilities"), "energy_counter") },
  { key: "lock_core_clock", label: "lockable clock", value: (device) => flag(object(device, "capabilities"), "lock_core_clock") },
  { key: "set_power_limit", label: "settable power limit", value: (device) => flag(object(device, "capabilities"), "set_power_limit") },
];

export const devicesView: View = ({ body }) => {
  const devices = objects(body, "devices");
  const twins = devices.filter((device) => text(device, "kind") === "twin");
  const machine = devices.filter((device) => text(device, "kind") !== "twin");
  const found = twins.flatMap((twin) => accuracyRows(objects(twin, "accuracy"), text(twin, "id") ?? "unnamed"));
  const simulated = machine.every((device) => flag(device, "simulated") === true);
  return h(
    "section",
    null,
    h("h2", null, "Devices of this machine"),
    machine.length === 0 ? h("p", null, "No device with power readings.") : table({ label: "Devices of this machine", columns: machineColumns, rows: machine, csvName: "devices", simulated }),
    texts(body, "problems").map((problem) => h("p", { class: "caption" }, problem)),
    h("h2", null, "Twins (physical models of GPUs)"),
    table({ label: "Twins", columns: twinColumns, rows: twins, csvName: "twins", simulated: true }),
    found.length > 0 && [h("h2", null, "Accuracy of twins"), accuracyChart("devices-accuracy", found), accuracyTable(found)],
  );
};
