// View of ergon.profile: measured rows, and costs of networks.

import type { Column } from "../base/columns";
import { h } from "../base/dom";
import { clock, count, si, unknown, withUnit } from "../base/format";
import { facts } from "../charts/facts";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { num, object, objects, text, texts } from "../documents/document";
import type { View } from "../documents/views";
import { warnings } from "../documents/warnings";

const seconds = (value: number) => si(value, "s");
const joules = (value: number) => si(value, "J");
const columns: readonly Column<JsonObject>[] = [
  { key: "network", label: "network" },
  { key: "batch", label: "batch" },
  { key: "mode", label: "mode" },
  { key: "precision", label: "precision" },
  { key: "layout", label: "layout" },
  { key: "requested_clock_hertz", label: "requested clock", value: (row) => num(row, "requested_clock_hertz") ?? "default", format: (value) => clock(value) },
  { key: "status", label: "status" },
  { key: "iterations", label: "iterations" },
  { key: "time_seconds", label: "time", format: seconds },
  { key: "time_deviation_seconds", label: "± time", format: seconds },
  { key: "power_watts", label: "power", unit: "W" },
  { key: "power_deviation_watts", label: "± power", unit: "W" },
  { key: "energy_joules", label: "energy", format: joules },
  { key: "energy_uncertainty_joules", label: "± energy (95 %)", format: joules },
  { key: "valid", label: "valid" },
  { key: "reasons", label: "reasons", value: (row) => texts(row, "reasons").join(", ") },
];

export const profileView: View = ({ body, simulated }) => {
  const device = object(body, "device");
  const rows = object(body, "rows");
  return h(
    "section",
    null,
    h("h2", null, `Profile of ${text(device, "device") ?? unknown}`),
    warnings(body),
    facts([
      ...Object.keys(rows ?? {}).map((status) => ({ label: `rows ${status.replaceAll("_", " ")}`, value: count(num(rows, status)) })),
      { label: "invalid", value: count(num(body, "invalid")) },
      { label: "already measured", value: count(num(body, "already_measured")) },
      { label: "not reached", value: count(num(body, "not_reached")) },
      { label: "engine", value: text(device, "engine") ?? unknown, note: text(device, "engine_version") ?? unknown },
      { label: "power limit", value: withUnit(num(device, "power_limit_watts"), "W") },
    ]),
    h("h3", null, "Networks, per iteration"),
    table({ label: "Networks", columns, rows: objects(body, "networks"), csvName: "profile-networks", simulated }),
  );
};
