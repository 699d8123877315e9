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
  about: "Current readings of all devices, their capabilities and the accuracy of twins.",
  schemas: ["ergon.devices/2", "ergon.devices.validate/2", "ergon.devices.calibrate/2", "ergon.measure/2", "ergon.profile/2", "ergon.profile.validate/2"],
  views: {
    "ergon.devices/2": devicesView,
    "ergon.devices.validate/2": validateView,
    "ergon.devices.calibrate/2": validateView,
    "ergon.measure/2": measureView,
    "ergon.profile/2": profileView,
  },
  live: devicesLive,
  report: (documents, context) =>
    h(
      "div",
      null,
      h("p", { class: "lead" }, "Devices, measurements, and the accuracy of twins."),
      documents.map((document) => drawDocument(document, context)),
    ),
};
