// Fields of several forms.

import type { Field } from "../base/fields";
import { selectField, textField } from "../base/fields";
import type { Choices } from "./choices";

export function deviceField(offered: Choices, value: string): Field {
  const known = offered.devices.some(({ id }) => id === value) ? value : (offered.devices[0]?.id ?? "");
  return selectField({ name: "device", label: "Device", value: known, choices: offered.devices.map(({ id, label }) => ({ value: id, label })) });
}

export function networkField(offered: Choices, value: string): Field {
  return textField({ name: "network", label: "Network", value, required: true, suggestions: offered.networks, hint: "a name from the zoo" });
}
