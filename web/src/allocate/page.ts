import { h } from "../base/dom";
import { drawDocument } from "../documents/views";
import type { Page } from "../page";
import { allocateView } from "./allocate_view";
import { aradaView } from "./arada_view";
import { compareView } from "./compare_view";
import { followView } from "./follow_view";
import { gpuView } from "./gpu_view";
import { allocateLive } from "./live";
import { lead } from "./lead";

export const allocatePage: Page = {
  name: "allocate",
  title: "Allocate",
  schemas: ["ergon.allocate/1", "ergon.allocate.gpu/1", "ergon.allocate.compare/1", "ergon.allocate.follow/1", "ergon.reproduce.arada/1"],
  views: {
    "ergon.allocate/1": allocateView,
    "ergon.allocate.gpu/1": gpuView,
    "ergon.allocate.compare/1": compareView,
    "ergon.allocate.follow/1": followView,
    "ergon.reproduce.arada/1": aradaView,
  },
  live: allocateLive,
  report: (documents, context) => h("div", null, lead(), documents.map((document) => drawDocument(document, context))),
};
