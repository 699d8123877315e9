import { numberField, selectField, textField } from "../base/fields";
import { form } from "../base/form";
import type { Choices } from "../jobs/choices";
import { deviceField } from "../jobs/form_fields";
import { networksField } from "../jobs/networks_field";

export function sweepForm(
  offered: Choices,
  parameters: URLSearchParams,
  start: (options: Readonly<Record<string, unknown>>) => Promise<void>,
): HTMLElement {
  const made = form({
    label: "Sweep networks over clocks",
    submit: "Start",
    fields: [
      deviceField(offered, "v100s"),
      textField({ name: "clocks", label: "Clocks", value: "20", required: true, hint: "number, all, default, or 900MHz,1.2GHz" }),
      numberField({ name: "repeat", label: "Repetitions", value: "3", min: 1, step: 1, required: true }),
      numberField({ name: "batch", label: "Batch", value: "1", min: 1, step: 1, required: true }),
      selectField({ name: "scenario", label: "Scenario", choices: [{ value: "steady", label: "steady: warm and repeated" }, { value: "execution", label: "execution: set up, predict once" }] }),
      networksField({ networks: offered.networks, extra: [{ value: "table1", label: "table1 (31 networks)" }], value: "resnet50,mobilenet_v2" }),
    ],
    onSubmit: ({ networks, repeat, batch, ...rest }) =>
      start({ ...rest, networks: networks?.split(",") ?? [], repeat: Number(repeat), batch: Number(batch) }),
  });
  made.fill(parameters);
  return made.element;
}
