// What to mend, ranked by what it would save at most, and what to know about the data.

import { barX, pointerY, text as label, tip } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { h } from "../base/dom";
import { duration, number, percent, si } from "../base/format";
import { series } from "../base/palette";
import { scaleFor } from "../charts/axis_scale";
import { chart } from "../charts/chart";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { num, objects, text } from "../documents/document";
import "./fleet.css";

interface Finding {
  rank: number;
  title: string;
  detail: string | null;
  about: string | null;
  joules: number | null;
  share: number | null;
  seconds: number | null;
  price: number | null;
}

const columns: readonly Column<Finding>[] = [
  { key: "rank", label: "rank", align: "right" },
  { key: "title", label: "finding" },
  { key: "saving_joules", label: "saves at most", value: (finding) => finding.joules, format: (value) => si(value, "J") },
  { key: "saving_share", label: "of all energy", value: (finding) => finding.share, format: (value) => percent(value, 2) },
  { key: "saving_seconds", label: "GPU time", value: (finding) => finding.seconds, format: duration },
  { key: "saving_price", label: "price", value: (finding) => finding.price, format: (value) => number(value) },
  { key: "detail", label: "what to do" },
];

export function findings(analysis: JsonObject, simulated: boolean): HTMLElement {
  const all = objects(analysis, "findings").map(asFinding);
  const saving = all.filter((finding) => finding.joules !== null);
  const others = all.filter((finding) => finding.joules === null);
  const priced = saving.some((finding) => finding.price !== null);
  const shown = columns.filter(({ key }) => key !== "saving_price" || priced);
  return h(
    "section",
    { class: "findings" },
    saving.length > 0 && savings(saving, simulated),
    saving.length > 0 && table({ label: "Findings with what each would save", columns: shown, rows: saving, csvName: "fleet-findings", simulated }),
    others.length > 0 && h("h3", null, "To know when reading the data"),
    others.length > 0 && h("ul", null, others.map(({ title, detail }) => h("li", null, h("strong", null, title), detail === null ? "" : `: ${detail}`))),
    all.length === 0 && h("p", null, "Nothing was found."),
  );
}

function savings(saving: readonly Finding[], simulated: boolean): HTMLElement {
  return chart({
    id: "fleet-findings",
    title: "What each finding would save at most, were it mended entirely",
    caption: "Some overlap, so that they do not add up: late uploads are part of the time in which GPUs wait.",
    simulated,
    columns,
    rows: saving,
    height: 56 + saving.length * 40,
    draw: ({ narrow, colours }) => {
      const scale = scaleFor(saving.map((finding) => finding.joules ?? 0), "J");
      const x = (finding: Finding) => (finding.joules ?? 0) / scale.factor;
      const y = (finding: Finding) => String(finding.rank);
      return {
        marginLeft: 28,
        marginRight: 56,
        x: { label: `energy saved at most (${scale.unit})`, grid: true, ticks: narrow ? 4 : 8 },
        y: { label: null, domain: saving.map(y), padding: 0.5 },
        marks: [
          barX(saving, { x, y, fill: series(2, colours), insetTop: 4, insetBottom: -4 }),
          label(saving, { x: 0, y, text: (finding: Finding) => finding.title, textAnchor: "start", dx: 3, dy: -14, lineWidth: narrow ? 22 : 60, textOverflow: "ellipsis" }),
          label(saving, { x, y, text: (finding: Finding) => percent(finding.share, 2), textAnchor: "start", dx: 5, dy: 4 }),
          tip(saving, pointerY({ x, y, title: tipText, lineWidth: narrow ? 14 : 40 })),
        ],
      };
    },
  });
}

function tipText(finding: Finding): string {
  const price = finding.price === null ? "" : `, price ${number(finding.price)}`;
  return `${finding.title}\n${si(finding.joules, "J", 4)}, ${percent(finding.share, 2)}, ${duration(finding.seconds)} of GPUs${price}\n${finding.detail ?? ""}`;
}

function asFinding(body: JsonObject, index: number): Finding {
  return {
    rank: index + 1,
    title: text(body, "title") ?? text(body, "id") ?? "unnamed",
    detail: text(body, "detail"),
    about: text(body, "about"),
    joules: num(body, "saving_joules"),
    share: num(body, "saving_share"),
    seconds: num(body, "saving_seconds"),
    price: num(body, "saving_price"),
  };
}
