// A claim of a paper and how it came out, whichever way the document writes it.

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
  fitted: boolean | null; // something was chosen so that it comes out
  basis: string | null; // "measured", "model", "timed"
  reason: string | null;
}

// Some documents say {holds: "approximately", ours}, others {holds: true, exactly: false, obtained}.
export function asClaim(body: JsonObject): Claim {
  return {
    where: text(body, "where"),
    claim: text(body, "claim") ?? text(body, "id") ?? "unnamed",
    paper: text(body, "paper"),
    obtained: text(body, "ours") ?? text(body, "obtained"),
    verdict: verdictOf(body),
    fitted: flag(body, "fitted"),
    basis: text(body, "basis"),
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
