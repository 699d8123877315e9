// Reads a claim of a paper and its verdict; documents use two formats.

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

// Either {holds: "approximately", ours} or {holds: true, exactly: false, obtained}.
export function asClaim(body: JsonObject): Claim {
  return {
    where: text(body, "where"),
    claim: text(body, "claim") ?? text(body, "id") ?? "unnamed",
    paper: text(body, "paper"),
    obtained: text(body, "ours") ?? text(body, "obtained"),
    verdict: verdictOf(body),
    fitted: flag(body, "fitted"),
    source: text(body, "source"),
    reason: text(body, "reason"),
  };
}

function verdictOf(body: JsonObject): Verdict {
  const word = text(body, "holds");
  const named = verdicts.find((verdict) => verdict === word);
  if (named) return named;
  const holds = flag(body, "holds");
  if (holds === null) return "not checked";
  if (!holds) return "no";
  return flag(body, "exactly") === true ? "exactly" : "approximately";
}
