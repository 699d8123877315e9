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
  schemas: ["ergon.sweep.evaluate/1", "ergon.sweep/1", "ergon.reproduce.v100s/1"],
  views: { "ergon.sweep.evaluate/1": evaluateView, "ergon.sweep/1": folderView, "ergon.reproduce.v100s/1": v100sView },
  live: sweepLive,
  report: (documents, context) =>
    h(
      "div",
      null,
      h("p", { class: "lead" }, "Does a higher clock buy time, or only watts?"),
      documents.map((document) => drawDocument(document, context)),
    ),
};
