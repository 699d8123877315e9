// View of ergon.sweep: number of runs. ergon.sweep.evaluate has their evaluation.

import { h } from "../base/dom";
import { count, unknown } from "../base/format";
import { facts } from "../charts/facts";
import { num, text } from "../documents/document";
import type { View } from "../documents/views";
import { warnings } from "../documents/warnings";

export const folderView: View = ({ body }) =>
  h(
    "section",
    null,
    h("h2", null, `Sweep on ${text(body, "device") ?? unknown}`),
    facts([
      { label: "new runs", value: count(num(body, "runs")) },
      { label: "invalid", value: count(num(body, "invalid")) },
      { label: "already measured", value: count(num(body, "already_measured")) },
    ]),
    warnings(body),
    h("p", null, "Runs: ", h("code", null, text(body, "file") ?? unknown), ". To evaluate them: ", h("code", null, "ergon sweep evaluate --points"), "."),
  );
