import { h } from "../base/dom";
import { drawDocument } from "../documents/views";
import type { Page } from "../page";
import { jobsLive } from "./live";

// Jobs exist only where a server runs them: a report has none.
export const jobsPage: Page = {
  name: "jobs",
  title: "Jobs",
  schemas: [],
  views: {},
  live: jobsLive,
  report: (documents, context) => h("div", null, documents.map((document) => drawDocument(document, context))),
};
