import type { ScaleOptions } from "@observablehq/plot";
import { legend as drawLegend } from "@observablehq/plot";
import { h, s } from "../base/dom";
import { plotClass, withoutStyle } from "./plot_style";

export type Sign = "line" | "dashed" | "dot" | "band" | "square";

export interface LegendEntry {
  label: string;
  color: string; // cssSeries(0), cssColor("muted")
  sign?: Sign; // default: "square"
}

export function legend(entries: readonly LegendEntry[]): HTMLElement {
  return h(
    "ul",
    { class: "legend" },
    entries.map((entry) => h("li", null, swatch(entry), entry.label)),
  );
}

// Legend of a heat map; `color` is the chart's scale with its domain.
export function rampLegend(color: ScaleOptions, label: string): HTMLElement {
  const drawn = drawLegend({ color: { ...color, label }, className: plotClass, width: 240, legend: "ramp" });
  return h("div", { class: "legend" }, withoutStyle(drawn as unknown as Element));
}

export function swatch(entry: LegendEntry): SVGSVGElement {
  const drawn = s("svg", { width: 18, height: 12, viewBox: "0 0 18 12", "aria-hidden": "true" }, shape(entry.sign ?? "square"));
  drawn.style.color = entry.color;
  return drawn;
}

export function shape(sign: Sign): SVGElement {
  switch (sign) {
    case "line":
      return s("path", { d: "M1 6H17", stroke: "currentColor", "stroke-width": 2.5 });
    case "dashed":
      return s("path", { d: "M1 6H17", stroke: "currentColor", "stroke-width": 2, "stroke-dasharray": "4 3" });
    case "dot":
      return s("circle", { cx: 9, cy: 6, r: 4, fill: "currentColor" });
    case "band":
      return s("rect", { x: 1, y: 2, width: 16, height: 8, fill: "currentColor", "fill-opacity": 0.3 });
    case "square":
      return s("rect", { x: 3, y: 0, width: 12, height: 12, fill: "currentColor" });
  }
}
