import { h } from "../base/dom";
import { count } from "../base/format";
import { num, object } from "../documents/document";
import type { View } from "../documents/views";
import { analysisView } from "./analysis_view";

// The view of ergon.fleet/3 and ergon.fleet/2.
export const fleetView: View = ({ body, simulated }) =>
  h("section", null, h("h2", null, `Fleet of ${count(num(object(body, "counts"), "gpus"))} GPUs`), analysisView(body, simulated));
