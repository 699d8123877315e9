import { h } from "../base/dom";
import { drawDocument } from "../documents/views";
import type { Page } from "../page";
import { devicesView } from "./devices_view";
import { devicesLive } from "./live";
import { measureView } from "./measure_view";
import { profileView } from "./profile_view";
import { validateView } from "./validate_view";

export const devicesPage: Page = {
  name: "devices",
  title: "Devices",
  schemas: ["ergon.devices/1", "ergon.devices.validate/1", "ergon.devices.calibrate/1", "ergon.measure/1", "ergon.profile/1", "ergon.profile.validate/1"],
  views: {
    "ergon.devices/1": devicesView,
    "ergon.devices.validate/1": validateView,
    "ergon.devices.calibrate/1": validateView,
    "ergon.measure/1": measureView,
    "ergon.profile/1": profileView,
  },
  live: devicesLive,
  report: (documents, context) =>
    h(
      "div",
      null,
      h("p", { class: "lead" }, "Which devices are there, what was measured on them, and how far can their twins be trusted?"),
      documents.map((document) => drawDocument(document, context)),
    ),
};
