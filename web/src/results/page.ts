import { h } from "../base/dom";
import { drawDocument } from "../documents/views";
import type { Page } from "../page";
import { resultsLive } from "./live";

// In a report this page shows the documents that no other page shows.
export const resultsPage: Page = {
  name: "results",
  title: "Results",
  about: "Open stored results as charts and tables.",
  schemas: [],
  views: {},
  live: resultsLive,
  report: (documents, context) => h("div", null, documents.map((document) => drawDocument(document, context))),
};
