// Marks the selected clock in a drawn chart. Moving the mark does not redraw the chart.

import type { Plot, PlotOptions } from "@observablehq/plot";
import { s } from "../base/dom";
import type { Surface } from "../charts/chart";
import { plot } from "../charts/plot";
import type { PredictedPoint } from "./prediction";

export interface Marker {
  drawn: (surface: Surface, options: PlotOptions, y: (point: PredictedPoint) => number) => SVGSVGElement; // x is the clock in MHz
  move: () => void; // to the selected point
}

export function clockMarker(chosen: () => PredictedPoint): Marker {
  let move = () => {};
  return {
    drawn: ({ width, height, colors }, options, y) => {
      const svg = plot({ width, height, ...options }) as SVGSVGElement & Pick<Plot, "scale">;
      const [across, up] = [svg.scale("x"), svg.scale("y")];
      const [bottom, top] = (up?.range ?? [0, 0]) as number[];
      const line = s("line", { y1: bottom, y2: top, stroke: colors.text, "stroke-width": 1.5 });
      const dot = s("circle", { r: 4.5, fill: colors.text, stroke: colors.background });
      // Before the tip, which is the last child.
      svg.insertBefore(s("g", { "aria-label": "selected clock", "pointer-events": "none" }, line, dot), svg.lastElementChild);
      move = () => {
        const point = chosen();
        const x = Number(across?.apply(point.clock / 1e6));
        const height = y(point);
        line.setAttribute("x1", String(x));
        line.setAttribute("x2", String(x));
        dot.toggleAttribute("hidden", !Number.isFinite(height));
        dot.setAttribute("cx", String(x));
        if (Number.isFinite(height)) dot.setAttribute("cy", String(up?.apply(height)));
      };
      move();
      return svg;
    },
    move: () => move(),
  };
}
