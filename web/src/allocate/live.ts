// The live page: a form, its result, and stored documents.

import { loading } from "../api/loading";
import { h } from "../base/dom";
import type { JsonObject } from "../documents/document";
import { objects, text } from "../documents/document";
import { drawDocument } from "../documents/views";
import type { LiveContext } from "../page";
import { openedDocument, storedDocuments } from "../results/stored_documents";
import type { Offered, ScheduleRequest } from "./form";
import { allocateForm, requestOf, resultElement } from "./form";
import { lead } from "./lead";

const schemas = ["ergon.allocate/2", "ergon.allocate.gpu/2", "ergon.allocate.compare/1", "ergon.allocate.follow/2", "ergon.reproduce.arada/2"];

export function allocateLive(context: LiveContext): HTMLElement {
  const opened = openedDocument(context, "allocate");
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
    loading(offers, (found) => formAndResult(context, found), "Loading networks and devices"),
    h("h2", null, "Stored schedules"),
    storedDocuments(context, { page: "allocate", schemas, label: "Stored schedules", example: "ergon allocate scalesim/MobileNet --json > RESULTS/schedule.json" }),
  );
}

function formAndResult(context: LiveContext, found: Offered): HTMLElement {
  const place = resultElement();
  const request = async ({ path, parameters }: ScheduleRequest) => {
    const answer = context.client.document(path, parameters, context.signal);
    place.replaceChildren(loading(answer, (document) => drawDocument(document, context), "Computing the schedule"));
    await answer;
  };
  const made = allocateForm(found, async (scheduleRequest, values) => {
    context.keepParameters(values);
    await request(scheduleRequest);
  });
  made.fill(context.parameters);
  // The first request: the address of a copied link, or the example in the form.
  void request(requestOf(made.values()));
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
      return id === null || text(device, "kind") !== "twin" ? [] : [{ value: id, label: `${id} (twin)` }];
    }),
  };
}
