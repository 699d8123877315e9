// A page of the dashboard and of reports.

import type { Client } from "./api/client";
import type { ErgonDocument } from "./documents/document";
import type { ViewContext, Views } from "./documents/views";

export interface LiveContext extends ViewContext {
  client: Client;
}

export interface Page {
  name: string; // "sweep": its route is #/sweep; "": the start page
  title: string; // in the navigation
  about: string; // one line for the overview
  schemas: readonly string[]; // documents that a report shows on this page
  views: Views; // default: generic view
  live: (context: LiveContext) => HTMLElement;
  report: (documents: readonly ErgonDocument[], context: ViewContext) => HTMLElement;
}
