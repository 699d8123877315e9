// View of ergon.reproduce.arada: claims, table and figures of the paper.

import { h } from "../base/dom";
import type { JsonObject } from "../documents/document";
import { objects, text } from "../documents/document";
import type { View } from "../documents/views";
import { choiceOf } from "../reproduce/choice_of";
import { claimsView } from "../reproduce/claims_view";
import type { Counting } from "./arada";
import { configurationsOf } from "./arada";
import { aradaFigure3 } from "./arada_figure_3";
import { aradaFigure8 } from "./arada_figure_8";
import { aradaMemories } from "./arada_memories";
import { aradaNetworks } from "./arada_networks";
import { layersOf } from "./layers";
import { bandwidthSteps, clockSteps } from "./settings_charts";

const countings: readonly (readonly [string, string, Counting])[] = [
  ["paper", "as the paper: eq. 6, mean over layers", { key: "energy_saving_eq6", over: "layer_mean" }],
  ["work", "by energy, weighted by layer energy", { key: "energy_saving", over: "energy_weighted" }],
];

export const aradaView: View = ({ body, simulated }) =>
  h(
    "section",
    null,
    h("h2", null, "Claims of the ARADA paper"),
    text(body, "paper") !== null && h("p", { class: "caption" }, text(body, "paper")),
    claimsView(objects(body, "claims"), simulated),
    objects(body, "configurations").length > 0 && [
      h("h2", null, "Savings of the schemes"),
      choiceOf("Definition of the saving", countings.map(([value, label, counting]) => ({ value, label, draw: () => savings(body, counting, simulated) }))),
    ],
    tableAndFigures(body, simulated),
  );

function savings(body: JsonObject, counting: Counting, simulated: boolean): HTMLElement {
  const configurations = configurationsOf(body, counting);
  return h("div", null, aradaMemories(configurations, simulated), aradaNetworks(configurations, simulated));
}

function tableAndFigures(body: JsonObject, simulated: boolean): HTMLElement {
  const layers = layersOf(objects(body, "table_1"), null);
  const unknown = { clock: null, bandwidth: null };
  return h(
    "div",
    null,
    layers.length > 0 && [
      h("h2", null, "Table 1: MobileNet on the Edge TPU"),
      h("div", { class: "columns" },
        clockSteps("arada-table-1-clock", "Clock by layer", layers, unknown, simulated),
        bandwidthSteps("arada-table-1-bandwidth", "Bandwidth by layer", layers, unknown, simulated)),
    ],
    h("div", { class: "columns" }, aradaFigure3(body, simulated)),
    aradaFigure8(body, simulated),
  );
}
