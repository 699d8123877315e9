import "./devices.css";
import { loading } from "../api/loading";
import { h } from "../base/dom";
import { drawDocument } from "../documents/views";
import type { LiveContext } from "../page";
import { liveGauges } from "./gauges";

export function devicesLive(context: LiveContext): HTMLElement {
  return h(
    "div",
    null,
    h("p", { class: "lead" }, "What do the devices draw right now, and which devices are there to measure or to model?"),
    h("h2", null, "Right now"),
    liveGauges(context),
    loading(context.client.document("/devices", {}, context.signal), (document) => drawDocument(document, context), "Asking for devices"),
  );
}
