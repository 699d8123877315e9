// The view of ergon.allocate/1: at which clock should each layer run, and what does that save?

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
import { waitsChart } from "./waits_chart";

const seconds = (value: number) => si(value, "s", 4);

const columns: readonly Column<Layer>[] = [
  { key: "place", label: "place" },
  { key: "name", label: "layer" },
  { key: "bound", label: "bound" },
  { key: "frequency_hz", label: "clock", value: (layer) => layer.clock, format: clock },
  { key: "tail_frequency_hz", label: "second clock", value: (layer) => layer.tailClock ?? (layer.clock === null ? null : "none"), format: clock },
  { key: "bandwidth_bytes_per_second", label: "bandwidth", value: (layer) => layer.bandwidth, format: (value) => si(value, "B/s") },
  { key: "time_seconds", label: "time promised", value: (layer) => layer.promised, format: seconds },
  { key: "time_resimulated_seconds", label: "time simulated", value: (layer) => layer.resimulated, format: seconds },
  { key: "stall_seconds", label: "waits", value: (layer) => layer.waiting, format: seconds },
  { key: "energy_ratio", label: "energy", value: (layer) => layer.energyRatio, format: (value) => percent(value) },
  { key: "energy_ratio_eq6", label: "by eq. 6", value: (layer) => layer.energyRatioEq6, format: (value) => percent(value) },
];

export const allocateView: View = ({ body, simulated }) => {
  const hardware = object(body, "hardware");
  const most = { clock: num(hardware, "frequency_max_hz"), bandwidth: num(hardware, "bandwidth_max_bytes_per_second") };
  const layers = layersOf(objects(body, "layers"), most.clock);
  const inTime = object(body, "iso_latency");
  return h(
    "section",
    null,
    h("h2", null, `${text(body, "network") ?? unknown}: ${text(body, "scheme") ?? unknown}`),
    hardwareLine(body),
    scheduleFacts(body),
    flag(body, "keeps_promised_latency") === false && h("p", { class: "problem" }, "Simulated at its clocks, this schedule is later than it promises."),
    inTime && [h("h3", null, `In the time of full speed: ${text(inTime, "scheme") ?? unknown}`), scheduleFacts(inTime)],
    clockSteps("allocate-frequency", "Clock of each layer", layers, most, simulated),
    bandwidthSteps("allocate-bandwidth", "Bandwidth given to each layer", layers, most, simulated),
    waitsChart(layers, simulated),
    layerEnergy(layers, simulated),
    h("h3", null, "Layers"),
    table({ label: "Layers of the schedule", columns, rows: layers, csvName: "allocate-layers", simulated }),
  );
};
