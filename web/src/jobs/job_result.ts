import { loading } from "../api/loading";
import type { Job } from "../api/types";
import { h } from "../base/dom";
import { drawDocument } from "../documents/views";
import type { LiveContext } from "../page";

// The document of an ended job.
export function jobResult(context: LiveContext, job: Job): HTMLElement {
  if (!job.result) return h("p", { class: "caption" }, "This job has no result document.");
  const path = `/jobs/${encodeURIComponent(job.id)}/result`;
  return loading(context.client.document(path, {}, context.signal), (document) => drawDocument(document, context), "Loading the result");
}
