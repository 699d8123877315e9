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
  about: "Find a clock and a memory bandwidth for every layer.",
  schemas: ["ergon.allocate/2", "ergon.allocate.gpu/2", "ergon.allocate.compare/1", "ergon.allocate.follow/2", "ergon.reproduce.arada/2"],
  views: {
    "ergon.allocate/2": allocateView,
    "ergon.allocate.gpu/2": gpuView,
    "ergon.allocate.compare/1": compareView,
    "ergon.allocate.follow/2": followView,
    "ergon.reproduce.arada/2": aradaView,
  },
  live: allocateLive,
  report: (documents, context) => h("div", null, lead(), documents.map((document) => drawDocument(document, context))),
};
