// Table of a paper's claims with verdicts, shared by all reproductions.

import type { Column } from "../base/columns";
import { h } from "../base/dom";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import type { Claim } from "./claim";
import { asClaim } from "./claim";
import "./claims.css";
import { signs, verdictsBar } from "./verdicts_bar";

const columns: readonly Column<Claim>[] = [
  { key: "where", label: "where" },
  { key: "claim", label: "claim" },
  { key: "paper", label: "paper" },
  { key: "obtained", label: "obtained" },
  { key: "holds", label: "holds", value: ({ verdict }) => `${signs[verdict]} ${verdict}` },
];
const fitted: Column<Claim> = { key: "fitted", label: "fitted" };
const source: Column<Claim> = { key: "source", label: "source" };
const reason: Column<Claim> = { key: "reason", label: "reason", value: (claim) => claim.reason ?? "" };

export function claimsView(claims: readonly JsonObject[], simulated: boolean): HTMLElement {
  const found = claims.map(asClaim);
  if (found.length === 0) return h("p", null, "The document has no claims.");
  const some = (key: "fitted" | "source") => found.some((claim) => claim[key] !== null);
  const shown = [...columns, ...(some("fitted") ? [fitted] : []), ...(some("source") ? [source] : []), reason];
  return h(
    "section",
    { class: "claims" },
    verdictsBar(found, simulated),
    some("fitted") && h("p", { class: "caption" }, "Fitted: a parameter was fitted to this claim, so its agreement is weak evidence."),
    table({ label: "Claims of the paper", columns: shown, rows: found, csvName: "claims", simulated }),
  );
}
