// The server's token, asked for once and kept for this tab only.

import { h } from "../base/dom";

const key = "ergon.token";
let asking: Promise<string | null> | null = null;

export function keptToken(): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

// Null where the reader declines. Many requests may fail at once: they share one question.
export function askToken(): Promise<string | null> {
  asking ??= ask().finally(() => (asking = null));
  return asking;
}

function ask(): Promise<string | null> {
  return new Promise((resolve) => {
    const input = h("input", { type: "password", name: "token", autocomplete: "off", required: true });
    const dialog = h(
      "dialog",
      { "aria-label": "Token" },
      h(
        "form",
        { method: "dialog" },
        h("label", null, "This server wants a token (ergon serve printed it when it started)", input),
        h("div", { class: "tools" }, h("button", { value: "use" }, "Use"), h("button", { value: "", formnovalidate: true, class: "quiet" }, "Cancel")),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      const token = dialog.returnValue === "use" && input.value !== "" ? input.value : null;
      if (token !== null) keep(token);
      resolve(token);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

function keep(token: string): void {
  try {
    sessionStorage.setItem(key, token);
  } catch {
    // Asked again after a reload.
  }
}
