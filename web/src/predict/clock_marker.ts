// The chosen clock in a picture that is already drawn: moving it costs no new picture, so a slider stays quick.

import type { Plot, PlotOptions } from "@observablehq/plot";
import { s } from "../base/dom";
import type { Surface } from "../charts/chart";
import { plot } from "../charts/plot";
import type { ForecastPoint } from "./forecast";

export interface Marker {
  drawn: (surface: Surface, options: PlotOptions, y: (point: ForecastPoint) => number) => SVGSVGElement; // x is the clock in MHz
  move: () => void; // to what `chosen` says now
}

export function clockMarker(chosen: () => ForecastPoint): Marker {
  let move = () => {};
  return {
    drawn: ({ width, height, colours }, options, y) => {
      const svg = plot({ width, height, ...options }) as SVGSVGElement & Pick<Plot, "scale">;
      const [across, up] = [svg.scale("x"), svg.scale("y")];
      const [bottom, top] = (up?.range ?? [0, 0]) as number[];
      const line = s("line", { y1: bottom, y2: top, stroke: colours.text, "stroke-width": 1.5 });
      const dot = s("circle", { r: 4.5, fill: colours.text, stroke: colours.background });
      // Before the last child, which is the tip.
      svg.insertBefore(s("g", { "aria-label": "chosen clock", "pointer-events": "none" }, line, dot), svg.lastElementChild);
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
