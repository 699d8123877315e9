import { badge } from "../charts/chart";
import { h } from "../base/dom";
import { instant, unknown } from "../base/format";
import type { ErgonDocument } from "./document";

// Command, time, version and inputs of a document, shown below it.
export function provenance(document: ErgonDocument): HTMLElement {
  const { command, created, commit, inputs } = document.provenance;
  const term = (name: string, ...value: (Node | string)[]) => h("div", null, h("dt", null, name), h("dd", null, value));
  return h(
    "footer",
    { class: "provenance" },
    h(
      "dl",
      null,
      command.length > 0 && term("command", h("code", null, command.map(quoted).join(" "))),
      term("created", instant(created)),
      term("program", `ergon ${document.ergon ?? unknown}, commit ${commit ?? unknown}`),
      inputs.length > 0 && term("inputs", inputs.join(", ")),
      term("document", document.schema),
      document.simulated && term("origin", badge()),
    ),
  );
}

function quoted(word: string): string {
  return /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
