// The claims of a paper, each with what the paper says, what came out and why: shared by all reproductions.

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
  { key: "obtained", label: "here" },
  { key: "holds", label: "holds", value: ({ verdict }) => `${signs[verdict]} ${verdict}` },
];
const fitted: Column<Claim> = { key: "fitted", label: "fitted" };
const basis: Column<Claim> = { key: "basis", label: "by" };
const reason: Column<Claim> = { key: "reason", label: "why", value: (claim) => claim.reason ?? "" };

export function claimsView(claims: readonly JsonObject[], simulated: boolean): HTMLElement {
  const found = claims.map(asClaim);
  if (found.length === 0) return h("p", null, "The document tells of no claims.");
  const some = (key: "fitted" | "basis") => found.some((claim) => claim[key] !== null);
  const shown = [...columns, ...(some("fitted") ? [fitted] : []), ...(some("basis") ? [basis] : []), reason];
  return h(
    "section",
    { class: "claims" },
    verdictsBar(found, simulated),
    some("fitted") && h("p", { class: "caption" }, "Fitted: something was chosen so that the claim comes out, so that it proves little."),
    table({ label: "Claims of the paper", columns: shown, rows: found, csvName: "claims", simulated }),
  );
}
