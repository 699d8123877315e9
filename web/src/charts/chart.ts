// A chart with title, badge, data table, CSV and SVG download. It is redrawn when the width or the theme changes.
// `draw` makes the picture; `rows` and `columns` are its data.

import type { PlotOptions } from "@observablehq/plot";
import type { Column } from "../base/columns";
import { withOrigin } from "../base/columns";
import { csv } from "../base/csv";
import { freshId, h } from "../base/dom";
import { download } from "../base/download";
import type { Colors } from "../base/palette";
import { colors } from "../base/palette";
import type { LegendEntry } from "./legend";
import { legend } from "./legend";
import { plot } from "./plot";
import { outdate, redraw } from "./redraw";
import { svgFile } from "./svg_file";
import { table } from "./table";

export interface Surface {
  width: number; // pixels
  height: number;
  narrow: boolean; // less than 480 pixels: fewer ticks, shorter labels
  colors: Colors;
}

export interface ChartOptions<Row> {
  id: string; // stable and unique on the page
  title: string;
  caption?: string;
  simulated: boolean;
  rows: readonly Row[] | (() => readonly Row[]); // a function is called when the data is shown or saved
  columns: readonly Column<Row>[];
  draw: (surface: Surface) => PlotOptions | SVGSVGElement; // default width and height are filled in
  height?: number | ((width: number) => number);
  legend?: readonly LegendEntry[];
  small?: boolean; // in a grid of charts: small title, tools in a menu
}

export function chart<Row>(options: ChartOptions<Row>): HTMLElement {
  const canvas = h("div", { class: "canvas" });
  canvas.style.minHeight = `${heightOf(options, 640)}px`;
  redraw(canvas, (width) => drawInto(canvas, options, width));
  const data = h("div", { class: "chart-data", id: freshId("data"), hidden: true });
  return h(
    "figure",
    { class: options.small ? "chart small" : "chart", "data-chart": options.id },
    h(
      "div",
      { class: "chart-head" },
      h(options.small ? "h4" : "h3", { class: "chart-title" }, options.title),
      options.simulated && !options.small && badge(),
      tools(options, canvas, data),
    ),
    options.legend && !options.small && legend(options.legend),
    canvas,
    options.caption !== undefined && h("figcaption", null, options.caption),
    data,
  );
}

// Redraws a figure of chart() whose data has changed.
export function refresh(figure: Element): void {
  for (const canvas of figure.querySelectorAll(".canvas")) outdate(canvas);
}

export function badge(): HTMLElement {
  return h("span", { class: "badge", title: "From a twin or a simulator, not measured" }, "simulated");
}

function drawInto<Row>(canvas: HTMLElement, options: ChartOptions<Row>, width: number): void {
  const height = heightOf(options, width);
  try {
    const surface = { width, height, narrow: width < 480, colors: colors() };
    const drawn = options.draw(surface);
    const svg = drawn instanceof SVGSVGElement ? drawn : plot({ width, height, ...drawn });
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", options.title + (options.simulated ? ", simulated" : ""));
    canvas.replaceChildren(svg);
    canvas.style.minHeight = "";
    canvas.dataset["drawn"] = "true";
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    canvas.replaceChildren(h("p", { class: "problem", role: "alert" }, `This chart could not be drawn: ${message}`));
  }
}

function heightOf<Row>(options: ChartOptions<Row>, width: number): number {
  if (typeof options.height === "function") return options.height(width);
  return options.height ?? (options.small ? 160 : Math.round(Math.min(440, Math.max(240, width * 0.45))));
}

function tools<Row>(options: ChartOptions<Row>, canvas: HTMLElement, data: HTMLElement): HTMLElement {
  const rowsNow = () => (typeof options.rows === "function" ? options.rows() : options.rows);
  const label = (what: string) => `${what}: ${options.title}`;
  const csvButton = h("button", {
    type: "button", class: "quiet", "aria-label": label("Download data as CSV"),
    onclick: () => download(`${options.id}.csv`, "text/csv", csv(withOrigin(options.columns, options.simulated), rowsNow())),
  }, "CSV");
  const svgButton = h("button", {
    type: "button", class: "quiet", "aria-label": label("Download picture as SVG"),
    onclick: () => {
      const svg = canvas.querySelector("svg");
      if (svg) download(`${options.id}.svg`, "image/svg+xml", svgFile(svg, options.title, options.simulated, options.legend ?? []));
    },
  }, "SVG");
  const dataButton = h("button", {
    type: "button", class: "quiet", "aria-label": label("Show the data as a table"), "aria-expanded": "false", "aria-controls": data.id,
    onclick: () => {
      data.hidden = !data.hidden;
      dataButton.setAttribute("aria-expanded", String(!data.hidden));
      data.replaceChildren(...(data.hidden ? [] : [table({ label: options.title, columns: options.columns, rows: rowsNow() })]));
    },
  }, "data");
  const buttons = h("div", { class: "tools" }, dataButton, csvButton, svgButton);
  if (!options.small) return buttons;
  return h("details", { class: "fold" }, h("summary", { "aria-label": label("Data and files"), title: "Data and files" }, "⋯"), buttons);
}
