// Colours of charts, after Okabe and Ito, made darker on white and lighter on black until each has a contrast of 3:1.
// Charts take plain values (so that an exported SVG stands alone); HTML legends take the same as CSS variables.

import type { Theme } from "./theme";
import { currentTheme, onThemeChange } from "./theme";

export interface Colours {
  theme: Theme;
  background: string;
  text: string;
  muted: string; // secondary text, reference lines
  grid: string;
  accent: string; // the one thing to look at
  good: string;
  warn: string;
  bad: string;
  series: readonly string[]; // eight categories, in order of use
}

const light: Colours = {
  theme: "light", background: "#ffffff", text: "#1b1f24", muted: "#5c6570", grid: "#d8dde3",
  accent: "#0072b2", good: "#007d5b", warn: "#b37a00", bad: "#c4400a",
  series: ["#0072b2", "#d55e00", "#007d5b", "#b3588c", "#b37a00", "#2f8fc4", "#4d5158", "#7d7700"],
};
const dark: Colours = {
  theme: "dark", background: "#14181d", text: "#e6e9ed", muted: "#9aa4b0", grid: "#333b45",
  accent: "#56b4e9", good: "#2fc298", warn: "#f2b134", bad: "#ff7f50",
  series: ["#56b4e9", "#f0803c", "#2fc298", "#e29bc4", "#f2b134", "#9cc9ff", "#b8bec7", "#f0e442"],
};

export function colours(): Colours {
  return currentTheme() === "dark" ? dark : light;
}

// The n-th category as a value for charts; wraps around after eight.
export function series(index: number, of: Colours = colours()): string {
  return of.series[index % of.series.length]!;
}

// The same for HTML, following the theme by itself: "var(--series-2)", "var(--chart-accent)".
export function cssSeries(index: number): string {
  return `var(--series-${index % light.series.length})`;
}
export function cssColour(name: "text" | "muted" | "grid" | "accent" | "good" | "warn" | "bad"): string {
  return `var(--chart-${name})`;
}

// Options of a Plot color scale for amounts (heat maps): viridis, more is further from the background.
export function sequential(): { scheme: "viridis"; reverse: boolean } {
  return { scheme: "viridis", reverse: currentTheme() === "light" };
}

// Options of a Plot color scale around zero or one: blue below, orange above, safe for red-green blindness.
export function diverging(): { scheme: "puor"; reverse: boolean } {
  return { scheme: "puor", reverse: true };
}

export function startPalette(): void {
  onThemeChange(writeVariables);
  writeVariables();
}

function writeVariables(): void {
  const now = colours();
  const style = document.documentElement.style;
  now.series.forEach((colour, index) => style.setProperty(`--series-${index}`, colour));
  for (const name of ["text", "muted", "grid", "accent", "good", "warn", "bad"] as const) {
    style.setProperty(`--chart-${name}`, now[name]);
  }
}
