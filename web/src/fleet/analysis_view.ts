// One analysis of a fleet, whichever document holds it.

import { h } from "../base/dom";
import type { JsonObject } from "../documents/document";
import { objects, texts } from "../documents/document";
import { eventKinds, levelKinds, listedGpus } from "./analysis";
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
  const events = eventKinds(analysis);
  const levels = levelKinds(analysis);
  const gpus = listedGpus(analysis);
  const heat = heatMaps(analysis, simulated);
  const remarks = texts(analysis, "remarks");
  return h(
    "div",
    null,
    summary(analysis, events),
    remarks.map((remark) => h("p", { class: "caption" }, remark)),
    h("h2", null, "What to mend"),
    findings(analysis, simulated),
    h("h2", null, "Where the energy went"),
    energyParts(analysis, events, simulated),
    heat && [h("h2", null, "Hosts over time"), heat],
    h("h2", null, "Events"),
    durations("fleet-durations", "How long events take", events, simulated),
    joins("fleet-joins", "What events show: the nearest sample beside the whole interval", events, simulated),
    levels.length > 0 && [
      h("h2", null, "Zoom levels"),
      durations("fleet-level-durations", "How long tasks of a level take", levels, simulated),
      joins("fleet-level-joins", "What tasks of a level show: the nearest sample beside the whole interval", levels, simulated),
    ],
    h("h2", null, "GPUs"),
    populationsTable(analysis, simulated),
    gpuScatter(gpus, objects(analysis, "clusters").length, simulated) ??
      h("p", { class: "caption" }, "The document does not list the GPUs: ergon fleet analyze --by gpu adds them."),
    fleetCorrelations(analysis, simulated),
    hostsSection(analysis, simulated),
    stragglers(analysis, simulated),
    droppedRows(analysis, simulated),
  );
}
