// Recommendations, ranked by max saving, and remarks on the data.

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

interface Recommendation {
  rank: number;
  title: string;
  detail: string | null;
  about: string | null;
  joules: number | null;
  share: number | null;
  seconds: number | null;
  price: number | null;
}

const columns: readonly Column<Recommendation>[] = [
  { key: "rank", label: "rank", align: "right" },
  { key: "title", label: "recommendation" },
  { key: "saving_joules", label: "max energy saving", value: (finding) => finding.joules, format: (value) => si(value, "J") },
  { key: "saving_share", label: "share of energy", value: (finding) => finding.share, format: (value) => percent(value, 2) },
  { key: "saving_seconds", label: "GPU time", value: (finding) => finding.seconds, format: duration },
  { key: "saving_price", label: "price", value: (finding) => finding.price, format: (value) => number(value) },
  { key: "detail", label: "details" },
];

export function findings(analysis: JsonObject, simulated: boolean): HTMLElement {
  const all = objects(analysis, "findings").map(asRecommendation);
  const saving = all.filter((finding) => finding.joules !== null);
  const others = all.filter((finding) => finding.joules === null);
  const priced = saving.some((finding) => finding.price !== null);
  const shown = columns.filter(({ key }) => key !== "saving_price" || priced);
  return h(
    "section",
    { class: "findings" },
    saving.length > 0 && savings(saving, simulated),
    saving.length > 0 && table({ label: "Recommendations and their max saving", columns: shown, rows: saving, csvName: "fleet-findings", simulated }),
    others.length > 0 && h("h3", null, "Remarks on the data"),
    others.length > 0 && h("ul", null, others.map(({ title, detail }) => h("li", null, h("strong", null, title), detail === null ? "" : `: ${detail}`))),
    all.length === 0 && h("p", null, "No recommendations."),
  );
}

function savings(saving: readonly Recommendation[], simulated: boolean): HTMLElement {
  return chart({
    id: "fleet-findings",
    title: "Max saving of each recommendation",
    caption: "Savings overlap and do not add up: for example, late uploads are part of the idle time.",
    simulated,
    columns,
    rows: saving,
    height: 56 + saving.length * 40,
    draw: ({ narrow, colors }) => {
      const scale = scaleFor(saving.map((finding) => finding.joules ?? 0), "J");
      const x = (finding: Recommendation) => (finding.joules ?? 0) / scale.factor;
      const y = (finding: Recommendation) => String(finding.rank);
      return {
        marginLeft: 28,
        marginRight: 56,
        x: { label: `max energy saving (${scale.unit})`, grid: true, ticks: narrow ? 4 : 8 },
        y: { label: null, domain: saving.map(y), padding: 0.5 },
        marks: [
          barX(saving, { x, y, fill: series(2, colors), insetTop: 4, insetBottom: -4 }),
          label(saving, { x: 0, y, text: (finding: Recommendation) => finding.title, textAnchor: "start", dx: 3, dy: -14, lineWidth: narrow ? 22 : 60, textOverflow: "ellipsis" }),
          label(saving, { x, y, text: (finding: Recommendation) => percent(finding.share, 2), textAnchor: "start", dx: 5, dy: 4 }),
          tip(saving, pointerY({ x, y, title: tipText, lineWidth: narrow ? 14 : 40 })),
        ],
      };
    },
  });
}

function tipText(finding: Recommendation): string {
  const price = finding.price === null ? "" : `, price ${number(finding.price)}`;
  return `${finding.title}\n${si(finding.joules, "J", 4)}, ${percent(finding.share, 2)}, ${duration(finding.seconds)} of GPU time${price}\n${finding.detail ?? ""}`;
}

function asRecommendation(body: JsonObject, index: number): Recommendation {
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
