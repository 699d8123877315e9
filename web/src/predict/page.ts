import { h } from "../base/dom";
import { drawDocument } from "../documents/views";
import type { Page } from "../page";
import { evaluateView, fitView } from "./fit_view";
import { predictLive } from "./live";
import { predictView } from "./predict_view";
import { thesisView } from "./thesis_view";
import { tuneView } from "./tune_view";

export const predictPage: Page = {
  name: "predict",
  title: "Predict",
  about: "Predict time, power and energy of a network, and tune clock, batch and device.",
  schemas: ["ergon.predict/2", "ergon.tune/2", "ergon.fit/2", "ergon.predict.evaluate/2", "ergon.reproduce.thesis/3"],
  views: {
    "ergon.predict/2": predictView,
    "ergon.tune/2": tuneView,
    "ergon.fit/2": fitView,
    "ergon.predict.evaluate/2": evaluateView,
    "ergon.reproduce.thesis/3": thesisView,
  },
  live: predictLive,
  report: (documents, context) =>
    h(
      "div",
      null,
      h("p", { class: "lead" }, "Predicted time, power and energy of networks, their accuracy, and the best settings."),
      documents.map((document) => drawDocument(document, context)),
    ),
};
