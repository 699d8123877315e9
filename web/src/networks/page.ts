import { h } from "../base/dom";
import { drawDocument } from "../documents/views";
import type { Page } from "../page";
import { estimateView } from "./estimate_view";
import { inspectView } from "./inspect_view";
import { networksLive } from "./live";
import { rooflineView } from "./roofline_view";
import { simulateSweepView } from "./simulate_sweep_view";
import { simulateView } from "./simulate_view";
import { zooView } from "./zoo_view";

export const networksPage: Page = {
  name: "networks",
  title: "Networks",
  about: "Inspect layers, operations and costs of a network; rooflines, array simulation, twins.",
  schemas: ["ergon.zoo/1", "ergon.inspect/1", "ergon.export/1", "ergon.roofline/1", "ergon.simulate/2", "ergon.simulate.sweep/2", "ergon.estimate/2"],
  views: {
    "ergon.zoo/1": zooView,
    "ergon.inspect/1": inspectView,
    "ergon.roofline/1": rooflineView,
    "ergon.simulate/2": simulateView,
    "ergon.simulate.sweep/2": simulateSweepView,
    "ergon.estimate/2": estimateView,
  },
  live: networksLive,
  report: (documents, context) =>
    h(
      "div",
      null,
      h("p", { class: "lead" }, "Layers, operations and costs of networks, and whether they are compute-bound or memory-bound."),
      documents.map((document) => drawDocument(document, context)),
    ),
};
