// Form that changes the power cap of a running or queued job, by number or slider.

import { problem } from "../api/loading";
import type { Job } from "../api/types";
import { freshId, h } from "../base/dom";
import { withUnit } from "../base/format";
import { isActive } from "../jobs/job_state";
import type { LiveContext } from "../page";

export interface CapRange {
  min: number;
  max: number;
}

export interface CapControl {
  element: HTMLElement;
  show: (job: Job) => void; // updates the current cap; hides the form after the end of the job
}

export function capControl(context: LiveContext, id: string, range: CapRange): CapControl {
  const numberId = freshId("cap");
  const amount = h("input", { type: "number", id: numberId, name: "cap", min: 1, step: "any", required: true, inputmode: "decimal" });
  const slider = h("input", { type: "range", name: "cap-slider", min: range.min, max: range.max, step: 1, "aria-label": "Power cap in watts" });
  const button = h("button", { type: "submit", class: "primary" }, "Set cap");
  const current = h("output", { for: numberId });
  const messages = h("div", { "aria-live": "polite" });
  const element = h(
    "form",
    { class: "cap-control", "aria-label": "Change the power cap" },
    h("label", { class: "field", for: numberId }, h("span", { class: "field-label" }, "Power cap", h("span", { class: "unit" }, " W")), amount),
    slider,
    button,
    current,
    messages,
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
        messages.replaceChildren();
        show(answer.value);
      } else messages.replaceChildren(problem(answer.error));
    });
  });
  const show = (job: Job) => {
    element.hidden = !isActive(job);
    if (job.cap_watts === null) return;
    current.textContent = `now ${withUnit(job.cap_watts, "W")}`;
    if (touched || document.activeElement === amount) return;
    amount.value = String(job.cap_watts);
    slider.value = String(job.cap_watts);
  };
  return { element, show };
}
