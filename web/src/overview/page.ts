import { h } from "../base/dom";
import type { Page } from "../page";
import { overviewLive } from "./live";

// The start page of the dashboard. A report has none. `others` are the pages that it links to.
export function overviewPage(others: readonly Page[]): Page {
  return {
    name: "",
    title: "Overview",
    about: "Devices, energy, running jobs and latest results.",
    schemas: [],
    views: {},
    live: (context) => overviewLive(context, others),
    report: () => h("div"),
  };
}
