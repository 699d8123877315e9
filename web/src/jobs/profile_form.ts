import { selectField, textField } from "../base/fields";
import { form } from "../base/form";
import type { Choices } from "./choices";
import { deviceField } from "./form_fields";
import { networksField } from "./networks_field";

export function profileForm(offered: Choices, start: (options: Readonly<Record<string, unknown>>) => Promise<void>): HTMLElement {
  return form({
    label: "Profile networks",
    submit: "Start profile",
    fields: [
      deviceField(offered, "a30"),
      textField({ name: "batch", label: "Batches", value: "1", hint: "separated by commas, for example 1,32" }),
      selectField({ name: "mode", label: "Mode", choices: ["inference", "training", "inference,training"].map((value) => ({ value, label: value.replace(",", " and ") })) }),
      selectField({ name: "measure", label: "Measure", choices: [{ value: "operations,networks", label: "operations and networks" }, { value: "networks", label: "networks" }, { value: "operations", label: "operations" }] }),
      selectField({ name: "precision", label: "Precision", choices: ["tf32", "fp32", "bf16", "fp16"].map((value) => ({ value, label: value })) }),
      networksField({ networks: offered.networks, value: "resnet50" }),
    ],
    onSubmit: (values) => start(values),
  }).element;
}
