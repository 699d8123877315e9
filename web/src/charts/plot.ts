// All charts call Plot through this function, which sets class and font size and removes style elements.

import type { PlotOptions } from "@observablehq/plot";
import { plot as drawPlot } from "@observablehq/plot";
import { plotClass, withoutStyle } from "./plot_style";

// Returns only the SVG; legends and titles are drawn by chart.ts.
export function plot(options: PlotOptions): SVGSVGElement {
  const drawn = drawPlot({
    marginTop: 28, // room for the axis label above the highest tick
    marginBottom: 42, // room for the axis label below the ticks at our font size
    ...options,
    className: plotClass,
    style: { fontSize: "12px", ...(typeof options.style === "object" ? options.style : {}) },
  });
  const svg = drawn instanceof SVGSVGElement ? drawn : drawn.querySelector(`svg.${plotClass}`);
  if (!(svg instanceof SVGSVGElement)) throw new Error("Plot returned no SVG");
  return withoutStyle(svg);
}
