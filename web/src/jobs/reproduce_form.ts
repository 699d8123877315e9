import { selectField } from "../base/fields";
import { form } from "../base/form";

const papers: readonly (readonly [string, string])[] = [
  ["v100s", "v100s: 31 networks at 196 clocks"],
  ["thesis", "thesis: networks predicted from measured operations"],
  ["batchsizer", "batchsizer: 20 jobs under power caps"],
  ["arada", "arada: a clock and a bandwidth for every layer"],
  ["terascope", "terascope: 1,024 GPUs that rendered a city"],
];

export function reproduceForm(start: (options: Readonly<Record<string, unknown>>) => Promise<void>): HTMLElement {
  return form({
    label: "Reproduce a paper",
    submit: "Start reproduction",
    fields: [selectField({ name: "paper", label: "Paper", choices: papers.map(([value, label]) => ({ value, label })) })],
    onSubmit: (values) => start(values),
  }).element;
}
