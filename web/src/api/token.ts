// The server's token, asked for once and kept for this tab only.

import { h } from "../base/dom";

const key = "ergon.token";
let asking: Promise<string | null> | null = null;
let current: string | null = null; // also where storage is missing or refused
let declined = false; // until the reader goes to another page: pages that poll would ask without end
window.addEventListener("hashchange", () => (declined = false));

export function keptToken(): string | null {
  try {
    return current ?? sessionStorage.getItem(key);
  } catch {
    return current;
  }
}

// `refused` is the token that the server did not take, null where it was shown none. Null where the reader declines.
// Many requests may fail at once: they share one question, and its answer where that came meanwhile.
export function askToken(refused: string | null): Promise<string | null> {
  if (keptToken() !== refused) return Promise.resolve(keptToken());
  if (declined) return Promise.resolve(null);
  asking ??= ask(refused !== null).finally(() => (asking = null));
  return asking;
}

function ask(again: boolean): Promise<string | null> {
  return new Promise((resolve) => {
    const input = h("input", { type: "password", name: "token", autocomplete: "off", required: true });
    const dialog = h(
      "dialog",
      { "aria-label": "Token" },
      h(
        "form",
        { method: "dialog" },
        again && h("p", { class: "problem", role: "alert" }, "The server refused this token."),
        h("label", null, "This server wants a token, that of ergon serve --token-file or ERGON_TOKEN", input),
        h("div", { class: "tools" }, h("button", { value: "use" }, "Use"), h("button", { value: "", formnovalidate: true, class: "quiet" }, "Cancel")),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      const token = dialog.returnValue === "use" && input.value !== "" ? input.value : null;
      if (token === null) declined = true;
      else keep(token);
      resolve(token);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

function keep(token: string): void {
  current = token;
  try {
    sessionStorage.setItem(key, token);
  } catch {
    // Asked again after a reload.
  }
}
