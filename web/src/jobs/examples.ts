// The examples in the forms that start jobs. They run on twins, so that no GPU is needed.

import type { Child } from "../base/dom";
import { h } from "../base/dom";
import { linkTo } from "../base/router";

export const examples = {
  sweep: "two networks at 20 clocks on a simulated V100S; takes a few seconds",
  cap: "resnet50 on a simulated V100 under a power cap; takes 60 s",
  fleet: "64 simulated hosts for one hour; takes a few seconds",
} as const;

// One entry per page, with a link.
export function exampleLinks(): readonly Child[] {
  return Object.entries(examples).map(([page, text]) => [h("a", { href: linkTo(page) }, `${page[0]?.toUpperCase()}${page.slice(1)}`), `: ${text}`]);
}
