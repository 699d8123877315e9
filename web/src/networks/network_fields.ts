// Fields for a network, batch and mode, shared by several pages.

import type { Field } from "../base/fields";
import { numberField, selectField, textField } from "../base/fields";
import type { ZooNetwork } from "./zoo";

// The network and its input size: tokens for language models, image side for others.
export function networkFields(zoo: readonly ZooNetwork[], value: string): readonly Field[] {
  const network = textField({ name: "network", label: "Network", value, suggestions: zoo.map(({ id }) => id), required: true, hint: "type to search" });
  const size = numberField({ name: "size", label: "Image side", hint: "pixels; default: the network's", min: 1, step: 1 });
  const sequence = numberField({ name: "sequence", label: "Tokens", hint: "default: the network's", min: 1, step: 1 });
  const showSizeField = () => {
    const tokens = zoo.find(({ id }) => id === network.read())?.tokens ?? false;
    size.element.hidden = tokens;
    sequence.element.hidden = !tokens;
  };
  network.element.addEventListener("input", showSizeField);
  showSizeField();
  const write = (name: string) => {
    network.write(name);
    showSizeField();
  };
  return [{ ...network, write }, ifVisible(size), ifVisible(sequence)];
}

export function batchField(value = "1"): Field {
  return numberField({ name: "batch", label: "Batch", value, min: 1, step: 1, required: true });
}

export function modeField(): Field {
  return selectField({ name: "mode", label: "Mode", choices: [{ value: "inference", label: "inference" }, { value: "training", label: "training" }] });
}

function ifVisible(field: Field): Field {
  return { ...field, read: () => (field.element.hidden ? null : field.read()) };
}
