import { h } from "../base/dom";
import { drawDocument } from "../documents/views";
import type { Page } from "../page";
import { batchsizerView } from "./batchsizer_view";
import { capView } from "./cap_view";
import { capLive } from "./live";

export const capPage: Page = {
  name: "cap",
  title: "Cap",
  about: "Hold a power cap by changing batch and clock.",
  schemas: ["ergon.cap/2", "ergon.reproduce.batchsizer/2"],
  views: { "ergon.cap/2": capView, "ergon.reproduce.batchsizer/2": batchsizerView },
  live: capLive,
  report: (documents, context) =>
    h(
      "div",
      null,
      h("p", { class: "lead" }, "Power, throughput and decisions of runs under a power cap."),
      documents.map((document) => drawDocument(document, context)),
    ),
};
