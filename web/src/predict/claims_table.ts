// Claims of a paper and the results obtained here.

import type { Column } from "../base/columns";
import { h } from "../base/dom";
import { table } from "../charts/table";
import type { JsonObject } from "../documents/document";
import { flag, text } from "../documents/document";

const columns: readonly Column<JsonObject>[] = [
  { key: "where", label: "where" },
  { key: "claim", label: "claim" },
  { key: "paper", label: "paper" },
  { key: "obtained", label: "obtained" },
  { key: "verdict", label: "holds", value: verdict },
  { key: "source", label: "source", value: (claim) => text(claim, "source") },
  { key: "reason", label: "reason", value: (claim) => text(claim, "reason") ?? "" },
];

export function verdict(claim: JsonObject): string {
  const holds = flag(claim, "holds");
  if (holds === null) return "not checked";
  return !holds ? "no" : flag(claim, "exactly") ? "exactly" : "approximately";
}

export function claimsTable(claims: readonly JsonObject[], name: string, simulated: boolean): HTMLElement {
  return h("div", { class: "claims" }, table({ label: "Claims of the paper", columns, rows: claims, csvName: name, simulated }));
}
