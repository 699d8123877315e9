// Number of claims by verdict, as one bar.

import { barX, pointerX, stackX, text as label, tip } from "@observablehq/plot";
import { cssColor } from "../base/palette";
import { chart } from "../charts/chart";
import type { Claim, Verdict } from "./claim";
import { verdicts } from "./claim";

interface Tally {
  verdict: Verdict;
  claims: number;
}

const shade = { exactly: "good", approximately: "warn", no: "bad", "not checked": "muted" } as const;

export const signs: Readonly<Record<Verdict, string>> = { exactly: "✓", approximately: "≈", no: "✗", "not checked": "–" };

export function verdictsBar(claims: readonly Claim[], simulated: boolean): HTMLElement {
  const tallies = verdicts
    .map((verdict): Tally => ({ verdict, claims: claims.filter((claim) => claim.verdict === verdict).length }))
    .filter((tally) => tally.claims > 0);
  return chart({
    id: "claims-verdicts",
    title: `Verdicts of ${claims.length} claims`,
    simulated,
    rows: tallies,
    columns: [{ key: "verdict", label: "holds" }, { key: "claims", label: "claims" }],
    legend: tallies.map(({ verdict, claims: n }) => ({ label: `${signs[verdict]} ${verdict}: ${n}`, color: cssColor(shade[verdict]) })),
    height: 84,
    draw: ({ colors }) => {
      const stacked = { x: "claims", y: () => "", order: null };
      return {
        marginLeft: 8,
        marginRight: 16,
        marginTop: 4,
        x: { label: "claims", domain: [0, claims.length], interval: 1 },
        y: { axis: null },
        marks: [
          barX(tallies, stackX({ ...stacked, fill: (tally: Tally) => colors[shade[tally.verdict]], insetRight: 1 })),
          label(tallies, stackX({ ...stacked, text: (tally: Tally) => `${signs[tally.verdict]} ${tally.claims}`, fill: colors.background, fontWeight: "bold" })),
          tip(tallies, pointerX(stackX({ ...stacked, title: (tally: Tally) => `${tally.verdict}: ${tally.claims} of ${claims.length}` }))),
        ],
      };
    },
  });
}
