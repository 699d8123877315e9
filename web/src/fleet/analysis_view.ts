// View of one fleet analysis.

import { h } from "../base/dom";
import type { JsonObject } from "../documents/document";
import { objects, texts } from "../documents/document";
import { eventGroups, levelGroups, listedGpus } from "./analysis";
import { fleetCorrelations } from "./correlations";
import { droppedRows } from "./dropped";
import { durations } from "./durations";
import { energyParts } from "./energy";
import { findings } from "./findings";
import { gpuScatter } from "./gpu_scatter";
import { heatMaps } from "./heat_map";
import { hostsSection } from "./hosts";
import { joins } from "./joins";
import { populationsTable } from "./populations";
import { stragglers } from "./stragglers";
import { summary } from "./summary";

export function analysisView(analysis: JsonObject, simulated: boolean): HTMLElement {
  const events = eventGroups(analysis);
  const levels = levelGroups(analysis);
  const gpus = listedGpus(analysis);
  const heat = heatMaps(analysis, simulated);
  const remarks = texts(analysis, "warnings");
  return h(
    "div",
    null,
    summary(analysis, events),
    remarks.map((remark) => h("p", { class: "caption" }, remark)),
    h("h2", null, "Recommendations"),
    findings(analysis, simulated),
    h("h2", null, "Energy"),
    energyParts(analysis, events, simulated),
    heat && [h("h2", null, "Hosts over time"), heat],
    h("h2", null, "Events"),
    durations("fleet-durations", "Duration of events", events, simulated),
    joins("fleet-joins", "Metrics of events: nearest telemetry sample and mean over the event", events, simulated),
    levels.length > 0 && [
      h("h2", null, "Levels"),
      durations("fleet-level-durations", "Duration of tasks by level", levels, simulated),
      joins("fleet-level-joins", "Metrics of tasks by level: nearest telemetry sample and mean over the task", levels, simulated),
    ],
    h("h2", null, "GPUs"),
    populationsTable(analysis, simulated),
    gpuScatter(gpus, objects(analysis, "clusters").length, simulated) ??
      h("p", { class: "caption" }, "The document has no list of GPUs. Add it with: ergon fleet analyze --by gpu"),
    fleetCorrelations(analysis, simulated),
    hostsSection(analysis, simulated),
    stragglers(analysis, simulated),
    droppedRows(analysis, simulated),
  );
}
