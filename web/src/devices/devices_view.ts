// The view of ergon.devices/1: what can be measured here, and the twins.

import type { Column } from "../base/columns";
import { h } from "../base/dom";
import { bytes, clock, number, si } from "../base/format";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { flag, num, object, objects, text, texts } from "../documents/document";
import type { View } from "../documents/views";
import { agreementChart, agreements, agreementTable } from "./agreement";

const rate = (precision: string): Column<JsonObject> => ({
  key: `peak_${precision}_operations_per_second`,
  label: `peak ${precision}`,
  value: (device) => num(object(device, "peak_operations_per_second"), precision),
  format: (value) => si(value, "FLOP/s"),
});
const watts = (value: number) => number(value, 4);

const twinColumns: readonly Column<JsonObject>[] = [
  { key: "id", label: "twin" },
  { key: "title", label: "of" },
  { key: "chip", label: "chip" },
  { key: "multiprocessors", label: "multiprocessors" },
  ...["fp32", "tf32", "bf16", "fp16"].map(rate),
  { key: "memory_bytes", label: "memory", format: (value) => bytes(value) },
  { key: "bandwidth_bytes_per_second", label: "bandwidth", format: (value) => si(value, "B/s") },
  { key: "clock_least_hertz", label: "least clock", format: (value) => clock(value) },
  { key: "clock_most_hertz", label: "highest clock", format: (value) => clock(value) },
  { key: "power_limit_least_watts", label: "least limit", unit: "W", format: watts },
  { key: "power_limit_usual_watts", label: "usual limit", unit: "W", format: watts },
  { key: "power_limit_most_watts", label: "highest limit", unit: "W", format: watts },
];

const machineColumns: readonly Column<JsonObject>[] = [
  { key: "id", label: "device" },
  { key: "name", label: "name" },
  { key: "kind", label: "read by" },
  { key: "simulated", label: "simulated", value: (device) => flag(device, "simulated") },
  { key: "power_limit_watts", label: "power limit", unit: "W", format: watts },
  { key: "power_limit_least_watts", label: "least limit", unit: "W", format: watts },
  { key: "power_limit_most_watts", label: "highest limit", unit: "W", format: watts },
  { key: "core_least_hertz", label: "least clock", value: (device) => num(object(device, "clocks"), "core_least_hertz"), format: (value) => clock(value) },
  { key: "core_most_hertz", label: "highest clock", value: (device) => num(object(device, "clocks"), "core_most_hertz"), format: (value) => clock(value) },
  { key: "memory_total_bytes", label: "memory", format: (value) => bytes(value) },
  { key: "power_fields", label: "power fields", value: (device) => texts(object(device, "capabilities"), "power").join(", ") },
  { key: "energy_counter", label: "energy counter", value: (device) => flag(object(device, "capabilities"), "energy_counter") },
  { key: "lock_core_clock", label: "clock can be locked", value: (device) => flag(object(device, "capabilities"), "lock_core_clock") },
  { key: "set_power_limit", label: "limit can be set", value: (device) => flag(object(device, "capabilities"), "set_power_limit") },
];

export const devicesView: View = ({ body }) => {
  const devices = objects(body, "devices");
  const twins = devices.filter((device) => text(device, "kind") === "twin");
  const machine = devices.filter((device) => text(device, "kind") !== "twin");
  const found = twins.flatMap((twin) => agreements(objects(twin, "agreement"), text(twin, "id") ?? "unnamed"));
  const simulated = machine.every((device) => flag(device, "simulated") === true);
  return h(
    "section",
    null,
    h("h2", null, "Devices of this machine"),
    machine.length === 0 ? h("p", null, "None that tells of its power.") : table({ label: "Devices of this machine", columns: machineColumns, rows: machine, csvName: "devices", simulated }),
    texts(body, "problems").map((problem) => h("p", { class: "caption" }, problem)),
    h("h2", null, "Twins: physical models of GPUs"),
    table({ label: "Twins", columns: twinColumns, rows: twins, csvName: "twins", simulated: true }),
    found.length > 0 && [h("h2", null, "How far twins are off"), agreementChart("devices-agreement", found), agreementTable(found)],
  );
};
