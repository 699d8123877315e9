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
  schemas: ["ergon.zoo/1", "ergon.inspect/1", "ergon.export/1", "ergon.roofline/1", "ergon.simulate/1", "ergon.simulate.sweep/1", "ergon.estimate/1"],
  views: {
    "ergon.zoo/1": zooView,
    "ergon.inspect/1": inspectView,
    "ergon.roofline/1": rooflineView,
    "ergon.simulate/1": simulateView,
    "ergon.simulate.sweep/1": simulateSweepView,
    "ergon.estimate/1": estimateView,
  },
  live: networksLive,
  report: (documents, context) =>
    h(
      "div",
      null,
      h("p", { class: "lead" }, "What networks are made of, what they cost, and whether they wait for arithmetic or for memory."),
      documents.map((document) => drawDocument(document, context)),
    ),
};
