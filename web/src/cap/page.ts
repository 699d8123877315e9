import { h } from "../base/dom";
import { drawDocument } from "../documents/views";
import type { Page } from "../page";
import { batchsizerView } from "./batchsizer_view";
import { capView } from "./cap_view";
import { capLive } from "./live";

export const capPage: Page = {
  name: "cap",
  title: "Cap",
  schemas: ["ergon.cap/1", "ergon.reproduce.batchsizer/1"],
  views: { "ergon.cap/1": capView, "ergon.reproduce.batchsizer/1": batchsizerView },
  live: capLive,
  report: (documents, context) =>
    h(
      "div",
      null,
      h("p", { class: "lead" }, "Does the device keep below its power cap, and how much work does it still do?"),
      documents.map((document) => drawDocument(document, context)),
    ),
};
