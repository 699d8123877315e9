// Light or dark theme: the system's until the user chooses. theme.css uses data-theme of the root element.

import { h } from "./dom";
import { storePreference, storedPreference } from "./preferences";

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
  const chosen = storedPreference("theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset["theme"] = chosen;
  system.addEventListener("change", () => changed.dispatchEvent(new Event("change")));
}

export function themeToggle(): HTMLElement {
  const button = h("button", { type: "button", class: "quiet", onclick: toggle });
  const update = () => (button.textContent = currentTheme() === "dark" ? "Light" : "Dark");
  button.title = "Switch between light and dark theme";
  onThemeChange(update);
  update();
  return button;
}

function toggle(): void {
  const next: Theme = currentTheme() === "dark" ? "light" : "dark";
  document.documentElement.dataset["theme"] = next;
  storePreference("theme", next);
  changed.dispatchEvent(new Event("change"));
}
