// View of ergon.fleet.generate: parameters and files of a simulated fleet.

import type { Column } from "../base/columns";
import { h } from "../base/dom";
import { bytes, count, duration, instant, percent, si, unknown } from "../base/format";
import { facts } from "../charts/facts";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { num, objects, text } from "../documents/document";
import type { View } from "../documents/views";

const columns: readonly Column<JsonObject>[] = [
  { key: "name", label: "file" },
  { key: "rows", label: "rows", format: (value) => count(value) },
  { key: "bytes", label: "size", format: (value) => bytes(value) },
];

export const generateView: View = ({ body, simulated }) =>
  h(
    "section",
    null,
    h("h2", null, `Simulated fleet of ${count(num(body, "hosts"))} hosts`),
    h("p", { class: "lead" }, `Written to ${text(body, "folder") ?? unknown}. Power and temperature are simulated with the twin ${text(body, "device") ?? unknown}.`),
    facts([
      { label: "hosts", value: count(num(body, "hosts")), note: `GPUs per host: ${count(num(body, "gpus_per_host"))}` },
      { label: "tasks", value: count(num(body, "tasks")) },
      { label: "start", value: instant(text(body, "start")), note: `duration ${duration(num(body, "seconds"))}` },
      { label: "slow hosts", value: count(num(body, "slow_hosts")) },
      { label: "hosts with duplicated rows", value: count(num(body, "doubled_hosts")) },
      { label: "hosts with two loggers", value: count(num(body, "two_logger_hosts")) },
      { label: "hosts with a clock offset", value: count(num(body, "skewed_hosts")), note: `of ${si(num(body, "skew_seconds"), "s")}` },
      { label: "rows lost", value: percent(num(body, "loss")), note: `${count(num(body, "lost_checkpoints"))} checkpoints, ${count(num(body, "lost_samples"))} telemetry samples` },
      { label: "seed", value: count(num(body, "seed")) },
    ]),
    table({ label: "Files of the fleet", columns, rows: objects(body, "files"), csvName: "fleet-files", simulated }),
  );
