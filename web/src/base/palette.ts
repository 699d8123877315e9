// Chart colors after Okabe and Ito, adjusted to a contrast of at least 3:1 in both themes. Charts use plain values, so
// that exported SVG files need no style sheet; HTML legends use CSS variables.

import type { Theme } from "./theme";
import { currentTheme, onThemeChange } from "./theme";

export interface Colors {
  theme: Theme;
  background: string;
  text: string;
  muted: string; // secondary text, reference lines
  grid: string;
  accent: string;
  good: string;
  warn: string;
  bad: string;
  series: readonly string[]; // eight categories, in order of use
}

const light: Colors = {
  theme: "light", background: "#ffffff", text: "#1b1f24", muted: "#5c6570", grid: "#d8dde3",
  accent: "#0072b2", good: "#007d5b", warn: "#b37a00", bad: "#c4400a",
  series: ["#0072b2", "#d55e00", "#007d5b", "#b3588c", "#b37a00", "#2f8fc4", "#4d5158", "#7d7700"],
};
const dark: Colors = {
  theme: "dark", background: "#14181d", text: "#e6e9ed", muted: "#9aa4b0", grid: "#333b45",
  accent: "#56b4e9", good: "#2fc298", warn: "#f2b134", bad: "#ff7f50",
  series: ["#56b4e9", "#f0803c", "#2fc298", "#e29bc4", "#f2b134", "#9cc9ff", "#b8bec7", "#f0e442"],
};

export function colors(): Colors {
  return currentTheme() === "dark" ? dark : light;
}

// Color of the nth category for charts; repeats after eight.
export function series(index: number, of: Colors = colors()): string {
  return of.series[index % of.series.length]!;
}

// The same for HTML as CSS variables that follow the theme: "var(--series-2)", "var(--chart-accent)".
export function cssSeries(index: number): string {
  return `var(--series-${index % light.series.length})`;
}
export function cssColor(name: "text" | "muted" | "grid" | "accent" | "good" | "warn" | "bad"): string {
  return `var(--chart-${name})`;
}

// Plot color scale for heat maps: viridis; larger values contrast more with the background.
export function sequential(): { scheme: "viridis"; reverse: boolean } {
  return { scheme: "viridis", reverse: currentTheme() === "light" };
}

// Plot color scale around zero or one: blue below, orange above; readable with red-green color blindness.
export function diverging(): { scheme: "puor"; reverse: boolean } {
  return { scheme: "puor", reverse: true };
}

export function startPalette(): void {
  onThemeChange(writeVariables);
  writeVariables();
}

function writeVariables(): void {
  const now = colors();
  const style = document.documentElement.style;
  now.series.forEach((color, index) => style.setProperty(`--series-${index}`, color));
  for (const name of ["text", "muted", "grid", "accent", "good", "warn", "bad"] as const) {
    style.setProperty(`--chart-${name}`, now[name]);
  }
}
