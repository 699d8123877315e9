import { h } from "../base/dom";
import { drawDocument } from "../documents/views";
import type { Page } from "../page";
import { evaluateView } from "./evaluate_view";
import { folderView } from "./folder_view";
import { sweepLive } from "./live";
import { v100sView } from "./v100s_view";

export const sweepPage: Page = {
  name: "sweep",
  title: "Sweep",
  about: "Measure networks at many clocks and find the clock with the lowest energy.",
  schemas: ["ergon.sweep.evaluate/2", "ergon.sweep/2", "ergon.reproduce.v100s/3"],
  views: { "ergon.sweep.evaluate/2": evaluateView, "ergon.sweep/2": folderView, "ergon.reproduce.v100s/3": v100sView },
  live: sweepLive,
  report: (documents, context) =>
    h(
      "div",
      null,
      h("p", { class: "lead" }, "Effect of the clock on time, power and energy."),
      documents.map((document) => drawDocument(document, context)),
    ),
};
