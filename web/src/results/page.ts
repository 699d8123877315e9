import { h } from "../base/dom";
import { drawDocument } from "../documents/views";
import type { Page } from "../page";
import { resultsLive } from "./live";

// In a report this page takes the documents that no other page claims, so it claims none itself.
export const resultsPage: Page = {
  name: "results",
  title: "Results",
  schemas: [],
  views: {},
  live: resultsLive,
  report: (documents, context) => h("div", null, documents.map((document) => drawDocument(document, context))),
};
