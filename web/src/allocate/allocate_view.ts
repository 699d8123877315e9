// View of ergon.allocate: clock and bandwidth of each layer, and the energy saved.

import type { Column } from "../base/columns";
import { h } from "../base/dom";
import { clock, percent, si, unknown } from "../base/format";
import { table } from "../charts/table";
import { flag, num, object, objects, text } from "../documents/document";
import type { View } from "../documents/views";
import { layerEnergy } from "./energy_chart";
import { hardwareLine } from "./hardware";
import type { Layer } from "./layers";
import { layersOf } from "./layers";
import { scheduleFacts } from "./schedule_facts";
import { bandwidthSteps, clockSteps } from "./settings_charts";
import { stallsChart } from "./stalls_chart";

const seconds = (value: number) => si(value, "s", 4);

const columns: readonly Column<Layer>[] = [
  { key: "index", label: "index" },
  { key: "name", label: "layer" },
  { key: "bound", label: "bound" },
  { key: "frequency_hz", label: "clock", value: (layer) => layer.clock, format: clock },
  { key: "tail_frequency_hz", label: "second clock", value: (layer) => layer.tailClock ?? (layer.clock === null ? null : "none"), format: clock },
  { key: "bandwidth_bytes_per_second", label: "bandwidth", value: (layer) => layer.bandwidth, format: (value) => si(value, "B/s") },
  { key: "time_seconds", label: "planned time", value: (layer) => layer.planned, format: seconds },
  { key: "time_resimulated_seconds", label: "simulated time", value: (layer) => layer.resimulated, format: seconds },
  { key: "stall_seconds", label: "stalled", value: (layer) => layer.stalled, format: seconds },
  { key: "energy_ratio", label: "energy", value: (layer) => layer.energyRatio, format: (value) => percent(value) },
  { key: "energy_ratio_eq6", label: "energy, eq. 6", value: (layer) => layer.energyRatioEq6, format: (value) => percent(value) },
];

export const allocateView: View = ({ body, simulated }) => {
  const hardware = object(body, "hardware");
  const limits = { clock: num(hardware, "frequency_max_hz"), bandwidth: num(hardware, "bandwidth_max_bytes_per_second") };
  const layers = layersOf(objects(body, "layers"), limits.clock);
  const inTime = object(body, "iso_latency");
  return h(
    "section",
    null,
    h("h2", null, `${text(body, "network") ?? unknown}: ${text(body, "scheme") ?? unknown}`),
    hardwareLine(body),
    scheduleFacts(body),
    flag(body, "meets_planned_latency") === false && h("p", { class: "problem" }, "The simulated latency of this schedule exceeds the planned latency."),
    inTime && [h("h3", null, `Without slowdown: ${text(inTime, "scheme") ?? unknown}`), scheduleFacts(inTime)],
    clockSteps("allocate-frequency", "Clock by layer", layers, limits, simulated),
    bandwidthSteps("allocate-bandwidth", "Bandwidth by layer", layers, limits, simulated),
    stallsChart(layers, simulated),
    layerEnergy(layers, simulated),
    h("h3", null, "Layers"),
    table({ label: "Layers of the schedule", columns, rows: layers, csvName: "allocate-layers", simulated }),
  );
};
