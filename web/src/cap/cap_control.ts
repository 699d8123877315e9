// The cap of a running job, by number or by slider, sent by a button.

import { problem } from "../api/loading";
import type { Job } from "../api/types";
import { freshId, h } from "../base/dom";
import { withUnit } from "../base/format";
import type { LiveContext } from "../page";

export interface CapRange {
  least: number;
  most: number;
}

export interface CapControl {
  element: HTMLElement;
  show: (job: Job) => void; // the cap that is held now; hidden once the job has ended
}

export function capControl(context: LiveContext, id: string, range: CapRange): CapControl {
  const numberId = freshId("cap");
  const amount = h("input", { type: "number", id: numberId, name: "cap", min: 1, step: "any", required: true, inputmode: "decimal" });
  const slider = h("input", { type: "range", name: "cap-slider", min: range.least, max: range.most, step: 1, "aria-label": "Cap in watts" });
  const button = h("button", { type: "submit", class: "primary" }, "Set cap");
  const held = h("output", { for: numberId });
  const words = h("div", { "aria-live": "polite" });
  const element = h(
    "form",
    { class: "cap-control", "aria-label": "Change the cap" },
    h("label", { class: "field", for: numberId }, h("span", { class: "field-label" }, "Cap", h("span", { class: "unit" }, " W")), amount),
    slider,
    button,
    held,
    words,
  );
  let touched = false;
  slider.addEventListener("input", () => ((amount.value = slider.value), (touched = true)));
  amount.addEventListener("input", () => ((slider.value = amount.value), (touched = true)));
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    button.disabled = true;
    void context.client.send<Job>("PUT", `/jobs/${encodeURIComponent(id)}/cap`, { watts: amount.valueAsNumber }, context.signal).then((answer) => {
      button.disabled = false;
      touched = false;
      if (answer.ok) {
        words.replaceChildren();
        show(answer.value);
      } else words.replaceChildren(problem(answer.error));
    });
  });
  const show = (job: Job) => {
    element.hidden = job.state !== "running";
    if (job.cap_watts === null) return;
    held.textContent = `now ${withUnit(job.cap_watts, "W")}`;
    if (touched || document.activeElement === amount) return;
    amount.value = String(job.cap_watts);
    slider.value = String(job.cap_watts);
  };
  return { element, show };
}
