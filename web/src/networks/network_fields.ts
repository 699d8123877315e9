// Fields that choose a network and how it is run; the same on every page that asks for one.

import type { Field } from "../base/fields";
import { numberField, selectField, textField } from "../base/fields";
import type { ZooNetwork } from "./zoo";

// The network by name, with the size that suits it: tokens for language models, the side of the image for others.
export function networkFields(zoo: readonly ZooNetwork[], usual: string): readonly Field[] {
  const network = textField({ name: "network", label: "Network", value: usual, suggestions: zoo.map(({ id }) => id), required: true, hint: "type to search" });
  const size = numberField({ name: "size", label: "Image side", hint: "empty: the usual one", least: 1, step: 1 });
  const sequence = numberField({ name: "sequence", label: "Tokens", hint: "empty: the usual number", least: 1, step: 1 });
  const suit = () => {
    const tokens = zoo.find(({ id }) => id === network.read())?.tokens ?? false;
    size.element.hidden = tokens;
    sequence.element.hidden = !tokens;
  };
  network.element.addEventListener("input", suit);
  suit();
  const write = (value: string) => {
    network.write(value);
    suit();
  };
  return [{ ...network, write }, whereShown(size), whereShown(sequence)];
}

export function batchField(value = "1"): Field {
  return numberField({ name: "batch", label: "Batch", value, least: 1, step: 1, required: true });
}

export function modeField(): Field {
  return selectField({ name: "mode", label: "Mode", choices: [{ value: "inference", label: "inference" }, { value: "training", label: "training" }] });
}

function whereShown(field: Field): Field {
  return { ...field, read: () => (field.element.hidden ? null : field.read()) };
}
