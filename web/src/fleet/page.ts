import { h } from "../base/dom";
import { drawDocument } from "../documents/views";
import type { Page } from "../page";
import { fleetView } from "./fleet_view";
import { generateView } from "./generate_view";
import { fleetLive, lead, storedSchemas } from "./live";
import { terascopeView } from "./terascope_view";

export const fleetPage: Page = {
  name: "fleet",
  title: "Fleet",
  about: "Analyze where the energy of many GPUs went and what to improve.",
  schemas: [...storedSchemas, "ergon.fleet.part/3"],
  views: {
    "ergon.fleet/3": fleetView, "ergon.fleet/2": fleetView,
    "ergon.fleet.generate/1": generateView,
    "ergon.reproduce.terascope/3": terascopeView, "ergon.reproduce.terascope/2": terascopeView,
  },
  live: fleetLive,
  report: (documents, context) => h("div", null, h("p", { class: "lead" }, lead), documents.map((document) => drawDocument(document, context))),
};
