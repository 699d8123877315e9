import { h } from "../base/dom";
import { emptyState } from "../base/empty_state";
import { exampleLinks } from "../jobs/examples";

// Explains RESULTS in example commands.
export const resultsFolder = ". RESULTS is the results folder that ergon serve prints.";

// `brief` omits the list of examples.
export function noResults(brief = false): HTMLElement {
  return emptyState({
    title: "No results yet",
    first: [
      ["Store a document: ", h("code", null, "ergon tune resnet50 --device h200,a30 --json > RESULTS/tune.json"), resultsFolder],
      brief ? "Or start a job. Its result is listed here." : "Or start the example of one of these pages. Its result is listed here:",
    ],
    examples: brief ? [] : exampleLinks(),
    then: "Results are listed with schema and date. They open as charts and tables.",
  });
}
