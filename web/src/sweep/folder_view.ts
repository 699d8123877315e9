// The view of ergon.sweep/1: how a sweep went. What it says is in ergon.sweep.evaluate/1.

import { h } from "../base/dom";
import { count, unknown } from "../base/format";
import { facts } from "../charts/facts";
import { num, text } from "../documents/document";
import type { View } from "../documents/views";

export const folderView: View = ({ body }) =>
  h(
    "section",
    null,
    h("h2", null, `Sweep on ${text(body, "device") ?? unknown}`),
    facts([
      { label: "runs this time", value: count(num(body, "runs")) },
      { label: "not valid", value: count(num(body, "invalid")) },
      { label: "there before", value: count(num(body, "known")) },
    ]),
    h("p", null, "The runs are in ", h("code", null, text(body, "file") ?? unknown), ". To see what they say: ", h("code", null, "ergon sweep evaluate --points"), "."),
  );
