import { h } from "../base/dom";
import { drawDocument } from "../documents/views";
import type { Page } from "../page";
import { jobsLive } from "./live";

// A report has no jobs.
export const jobsPage: Page = {
  name: "jobs",
  title: "Jobs",
  about: "Follow, cancel and resume jobs; profile networks and reproduce papers.",
  schemas: [],
  views: {},
  live: jobsLive,
  report: (documents, context) => h("div", null, documents.map((document) => drawDocument(document, context))),
};
