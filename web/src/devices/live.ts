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
    h("p", { class: "lead" }, "Current readings of the devices, and all devices that can be measured or simulated."),
    h("h2", null, "Current readings"),
    liveGauges(context),
    loading(context.client.document("/devices", {}, context.signal), (document) => drawDocument(document, context), "Loading devices"),
  );
}
