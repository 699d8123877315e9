// A page: the views of its documents, and, live, forms and lists around them.

import type { Client } from "./api/client";
import type { ErgonDocument } from "./documents/document";
import type { ViewContext, Views } from "./documents/views";

export interface LiveContext extends ViewContext {
  client: Client;
}

export interface Page {
  name: string; // "sweep": its route is #/sweep
  title: string; // in the navigation
  schemas: readonly string[]; // the documents that a report shows on this page
  views: Views; // how they are drawn; generic where a schema has none
  live: (context: LiveContext) => HTMLElement;
  report: (documents: readonly ErgonDocument[], context: ViewContext) => HTMLElement;
}
