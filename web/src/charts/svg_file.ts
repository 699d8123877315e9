// A chart as a standalone SVG file with title, legend and background.

import type { Colors } from "../base/palette";
import { colors } from "../base/palette";
import { s } from "../base/dom";
import type { LegendEntry } from "./legend";
import { shape } from "./legend";
import { plotStyle } from "./plot_style";

const space = "http://www.w3.org/2000/svg";
const line = 18;

export function svgFile(svg: SVGSVGElement, title: string, simulated: boolean, entries: readonly LegendEntry[]): string {
  const theme = colors();
  const copy = svg.cloneNode(true) as SVGSVGElement;
  for (const tip of copy.querySelectorAll("[aria-label=tip]")) tip.replaceChildren();
  const box = svg.viewBox.baseVal;
  const head = line * (2 + entries.length);
  for (const [name, value] of Object.entries({ x: 0, y: head, width: box.width, height: box.height })) {
    copy.setAttribute(name, String(value));
  }
  const whole = s(
    "svg",
    { viewBox: `0 0 ${box.width} ${box.height + head}`, width: box.width, height: box.height + head, color: theme.text },
    s("rect", { width: "100%", height: "100%", fill: theme.background }),
    s(
      "g",
      { "font-family": "system-ui, sans-serif", "font-size": 12, fill: theme.text },
      s("text", { x: 8, y: line, "font-size": 14, "font-weight": 600 }, simulated ? `${title} (simulated)` : title),
      entries.map((entry, index) => legendLine(entry, line * (index + 2), theme)),
    ),
    copy,
  );
  const text = new XMLSerializer()
    .serializeToString(whole)
    .replaceAll("var(--plot-background)", theme.background)
    .replace(/var\(--series-(\d)\)/g, (_, index: string) => theme.series[Number(index)] ?? theme.text);
  const open = text.indexOf(">") + 1;
  const tag = text.slice(0, open);
  return (tag.includes("xmlns=") ? tag : tag.replace("<svg", `<svg xmlns="${space}"`)) + `<style>${plotStyle}</style>` + text.slice(open);
}

function legendLine(entry: LegendEntry, y: number, theme: Colors): SVGGElement {
  const name = /^var\(--(series-(\d)|chart-(\w+))\)$/.exec(entry.color);
  const color = name?.[2] !== undefined ? theme.series[Number(name[2])] : name?.[3] !== undefined ? theme[name[3] as "text"] : entry.color;
  return s(
    "g",
    { transform: `translate(8,${y})`, color: color ?? theme.text },
    shape(entry.sign ?? "square"),
    s("text", { x: 24, y: 10 }, entry.label),
  );
}
