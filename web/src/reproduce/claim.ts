// Reads a claim of a paper and its verdict.

import type { JsonObject } from "../documents/document";
import { flag, text } from "../documents/document";

export const verdicts = ["exactly", "approximately", "no", "not checked"] as const;
export type Verdict = (typeof verdicts)[number];

export interface Claim {
  where: string | null; // "Table 1"
  claim: string;
  paper: string | null;
  obtained: string | null;
  verdict: Verdict;
  fitted: boolean | null; // a parameter was fitted to the claim
  source: string | null; // "measured", "model", "timed"
  reason: string | null;
}

export function asClaim(body: JsonObject): Claim {
  return {
    where: text(body, "where"),
    claim: text(body, "claim") ?? text(body, "id") ?? "unnamed",
    paper: text(body, "paper"),
    obtained: text(body, "ours"),
    verdict: verdictOf(body),
    fitted: flag(body, "fitted"),
    source: text(body, "source"),
    reason: text(body, "reason"),
  };
}

// `holds` is null if the claim was not checked.
export function verdictOf(body: JsonObject): Verdict {
  const word = text(body, "holds");
  return verdicts.find((verdict) => verdict === word) ?? "not checked";
}
