// View of ergon.cap: power, throughput and decisions of a run under a power cap.

import { h } from "../base/dom";
import { duration, unknown } from "../base/format";
import { facts } from "../charts/facts";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { flag, num, text, texts } from "../documents/document";
import type { View } from "../documents/views";
import { warnings } from "../documents/warnings";
import { capFacts } from "./cap_facts";
import { capsTable } from "./caps_table";
import { runCharts } from "./run_charts";
import { decisionColumns } from "./decision_columns";
import { powerChart } from "./power_chart";
import { runOf } from "./run";

export const capView: View = ({ body, simulated }) => {
  const run = runOf(body, simulated);
  return h(
    "section",
    { class: "cap-run" },
    h("h2", null, title(body)),
    h("p", { class: "lead" }, subtitle(body)),
    warnings(body),
    facts(capFacts(body)),
    remarks(body),
    powerChart("cap", () => run),
    h("div", { class: "columns" }, runCharts("cap", () => run)),
    capsTable(body, simulated),
    h("h3", null, "Decisions and their reasons"),
    table({ label: "Decisions", columns: decisionColumns, rows: run.decisions, csvName: "cap-decisions", simulated }),
  );
};

function title(body: JsonObject): string {
  return `${text(body, "network") ?? unknown} on ${text(body, "device") ?? text(body, "plant") ?? unknown} under a power cap`;
}

function subtitle(body: JsonObject): string {
  const arrivals = num(body, "arrivals_per_second");
  return [
    `Controller ${text(body, "controller") ?? unknown}`,
    `${duration(num(body, "duration_seconds"))}`,
    text(body, "precision") === null ? "" : `precision ${text(body, "precision")}`,
    arrivals === null ? "one batch after the other" : `${arrivals} requests per second`,
    flag(body, "interrupted") === true ? "interrupted" : "",
  ].filter((part) => part !== "").join(", ") + ".";
}

function remarks(body: JsonObject): HTMLElement | null {
  const notHeld = texts(body, "not_held");
  const others = texts(body, "remarks");
  if (notHeld.length + others.length === 0) return null;
  return h("ul", null, notHeld.map((line) => h("li", { class: "problem" }, line)), others.map((line) => h("li", null, line)));
}
