// The one place that calls Plot. Everything drawn goes through here, so that class, font size and CSP hold everywhere.

import type { PlotOptions } from "@observablehq/plot";
import { plot as drawPlot } from "@observablehq/plot";
import { plotClass, withoutStyle } from "./plot_style";

// Legends and titles belong to the figure (chart.ts), not to Plot: only the SVG is kept.
export function plot(options: PlotOptions): SVGSVGElement {
  const drawn = drawPlot({
    marginBottom: 42, // room for the axis label below the ticks at our font size
    ...options,
    className: plotClass,
    style: { fontSize: "12px", ...(typeof options.style === "object" ? options.style : {}) },
  });
  const svg = drawn instanceof SVGSVGElement ? drawn : drawn.querySelector(`svg.${plotClass}`);
  if (!(svg instanceof SVGSVGElement)) throw new Error("the chart has no picture");
  return withoutStyle(svg);
}
