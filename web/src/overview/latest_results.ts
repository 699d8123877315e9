// The latest stored results, with an example of how to store one.

import { loading } from "../api/loading";
import type { StoredResult } from "../api/types";
import type { Column } from "../base/columns";
import { h } from "../base/dom";
import { instant } from "../base/format";
import { linkTo } from "../base/router";
import { table } from "../charts/table";
import type { LiveContext } from "../page";
import { noResults } from "../results/no_results";

const shown = 5;
const columns: readonly Column<StoredResult>[] = [
  { key: "title", label: "result" },
  { key: "created", label: "created", value: ({ created }) => instant(created) },
  { key: "simulated", label: "simulated" },
];

export function latestResults(context: LiveContext): HTMLElement {
  const response = context.client.get<{ results: readonly StoredResult[] }>("/results", {}, context.signal);
  return loading(response, ({ results }) => {
    if (results.length === 0) return noResults(true);
    const rows = results.slice(0, shown);
    return h(
      "div",
      null,
      table({ label: "Latest results", columns, rows, link: ({ id }) => linkTo("results", { id }) }),
      results.length > shown && h("p", null, h("a", { href: linkTo("results") }, `All ${results.length} results`)),
    );
  }, "Loading results");
}
