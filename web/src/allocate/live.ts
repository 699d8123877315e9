// The live page: a form, its answer, and the documents kept earlier.

import { loading } from "../api/loading";
import { h } from "../base/dom";
import type { JsonObject } from "../documents/document";
import { objects, text } from "../documents/document";
import { drawDocument } from "../documents/views";
import type { LiveContext } from "../page";
import { keptDocument, keptList } from "../reproduce/kept_list";
import type { Offered, Question } from "./form";
import { allocateForm, questionOf, waitingPlace } from "./form";
import { lead } from "./lead";

const kept = ["ergon.allocate/1", "ergon.allocate.gpu/1", "ergon.allocate.compare/1", "ergon.allocate.follow/1", "ergon.reproduce.arada/1"];

export function allocateLive(context: LiveContext): HTMLElement {
  const opened = keptDocument(context, "allocate");
  if (opened) return h("div", null, lead(), opened);
  const answers = Promise.all([context.client.document("/zoo", {}, context.signal), context.client.document("/devices", {}, context.signal)]);
  const offers = answers.then(([zoo, devices]) => {
    if (!zoo.ok) return zoo;
    if (!devices.ok) return devices;
    return { ok: true as const, value: offered(zoo.value.body, devices.value.body) };
  });
  return h(
    "div",
    null,
    lead(),
    loading(offers, (found) => desk(context, found), "Asking for networks and devices"),
    h("h2", null, "Kept allocations"),
    keptList(context, "allocate", kept, "Kept allocations"),
  );
}

function desk(context: LiveContext, found: Offered): HTMLElement {
  const place = waitingPlace();
  const ask = async ({ path, parameters }: Question) => {
    const answer = context.client.document(path, parameters, context.signal);
    place.replaceChildren(loading(answer, (document) => drawDocument(document, context), "Looking for the schedule"));
    await answer;
  };
  const made = allocateForm(found, async (question, values) => {
    context.keepParameters(values);
    await ask(question);
  });
  made.fill(context.parameters);
  // An address with a network is a question: a copied link or a reload asks it again.
  if (context.parameters.has("network")) void ask(questionOf(made.values()));
  return h("div", null, made.element, place);
}

function offered(zoo: JsonObject, devices: JsonObject): Offered {
  const networks = objects(zoo, "networks").flatMap((network) => {
    const name = text(network, "name");
    return name === null ? [] : [`${text(network, "family") ?? ""}/${name}`.replace(/^\//, "")];
  });
  const paper = (name: string) => (/^(arada|scalesim)\//.test(name) ? 0 : 1);
  return {
    networks: networks.sort((a, b) => paper(a) - paper(b)),
    devices: objects(devices, "devices").flatMap((device) => {
      const id = text(device, "id");
      return id === null || text(device, "kind") !== "twin" ? [] : [{ value: id, label: `${id}, ${text(device, "title") ?? text(device, "name") ?? "twin"}` }];
    }),
  };
}
