// Claims of a paper and the results obtained here.

import type { Column } from "../base/columns";
import { h } from "../base/dom";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { text } from "../documents/document";
import { verdictOf } from "../reproduce/claim";

const columns: readonly Column<JsonObject>[] = [
  { key: "where", label: "where" },
  { key: "claim", label: "claim" },
  { key: "paper", label: "paper" },
  { key: "ours", label: "obtained" },
  { key: "verdict", label: "holds", value: verdictOf },
  { key: "source", label: "source", value: (claim) => text(claim, "source") },
  { key: "reason", label: "reason", value: (claim) => text(claim, "reason") ?? "" },
];

export function claimsTable(claims: readonly JsonObject[], name: string, simulated: boolean): HTMLElement {
  return h("div", { class: "claims" }, table({ label: "Claims of the paper", columns, rows: claims, csvName: name, simulated }));
}
