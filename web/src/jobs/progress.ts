import type { Progress } from "../api/types";
import { h } from "../base/dom";
import { count } from "../base/format";

// An indeterminate bar if the total is unknown.
export function progressBar(progress: Progress | null): HTMLElement {
  const known = progress !== null && progress.total > 0;
  const bar = h("progress", known ? { max: progress.total, value: progress.done } : null);
  bar.setAttribute("aria-label", progress?.label ?? "running");
  return h("div", { class: "progress" }, bar, h("span", null, progressText(progress)));
}

export function progressText(progress: Progress | null): string {
  if (progress === null) return "running …";
  const unit = progress.unit === "" ? "" : ` ${progress.unit}`;
  const amount = progress.total > 0 ? `${count(progress.done)} of ${count(progress.total)}${unit}` : progress.done > 0 ? `${count(progress.done)}${unit}` : "";
  return [progress.label, amount].filter((part) => part !== "").join(": ");
}
