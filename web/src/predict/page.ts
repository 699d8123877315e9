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
  schemas: ["ergon.predict/1", "ergon.tune/1", "ergon.fit/1", "ergon.predict.evaluate/1", "ergon.reproduce.thesis/1"],
  views: {
    "ergon.predict/1": predictView,
    "ergon.tune/1": tuneView,
    "ergon.fit/1": fitView,
    "ergon.predict.evaluate/1": evaluateView,
    "ergon.reproduce.thesis/1": thesisView,
  },
  live: predictLive,
  report: (documents, context) =>
    h(
      "div",
      null,
      h("p", { class: "lead" }, "What networks will cost on devices they never ran on, how well that is known, and which settings cost least."),
      documents.map((document) => drawDocument(document, context)),
    ),
};
