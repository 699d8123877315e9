// Light or dark: as the system says until the reader chooses. theme.css obeys data-theme on the root element.

import { h } from "./dom";
import { remember, remembered } from "./stored";

export type Theme = "light" | "dark";

const system = window.matchMedia("(prefers-color-scheme: dark)");
const changed = new EventTarget();

export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset["theme"];
  if (chosen === "light" || chosen === "dark") return chosen;
  return system.matches ? "dark" : "light";
}

export function onThemeChange(listener: () => void): void {
  changed.addEventListener("change", listener);
}

export function startTheme(): void {
  const chosen = remembered("theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset["theme"] = chosen;
  system.addEventListener("change", () => changed.dispatchEvent(new Event("change")));
}

export function themeToggle(): HTMLElement {
  const button = h("button", { type: "button", class: "quiet", onclick: toggle });
  const say = () => (button.textContent = currentTheme() === "dark" ? "Light" : "Dark");
  button.title = "Change between light and dark";
  onThemeChange(say);
  say();
  return button;
}

function toggle(): void {
  const next: Theme = currentTheme() === "dark" ? "light" : "dark";
  document.documentElement.dataset["theme"] = next;
  remember("theme", next);
  changed.dispatchEvent(new Event("change"));
}
