// The server's token. It is asked for once and stored for this tab only.

import { h } from "../base/dom";

const key = "ergon.token";
let asking: Promise<string | null> | null = null;
let current: string | null = null; // used if session storage is not available
let declined = false; // until the next page: pages that poll would otherwise ask repeatedly
window.addEventListener("hashchange", () => (declined = false));

// The link that `ergon serve` prints contains the token in its fragment (#token=...), which no server gets. It is stored
// and removed from the address, so that no bookmark or history has it.
export function takeTokenFromAddress(): void {
  const mark = "#token=";
  if (!location.hash.startsWith(mark)) return;
  store(decodeURIComponent(location.hash.slice(mark.length)));
  history.replaceState(null, "", location.pathname + location.search);
}

export function storedToken(): string | null {
  try {
    return current ?? sessionStorage.getItem(key);
  } catch {
    return current;
  }
}

// `refused` is the rejected token, or null if none was sent. Resolves with null if the user declines. Concurrent
// requests share one dialog.
export function askToken(refused: string | null): Promise<string | null> {
  if (storedToken() !== refused) return Promise.resolve(storedToken());
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
        again && h("p", { class: "problem", role: "alert" }, "The token was wrong: the server refused it."),
        h("label", null, "This server requires a token (set with ergon serve --token-file or ERGON_TOKEN)", input),
        h("div", { class: "tools" }, h("button", { value: "use" }, "Use"), h("button", { value: "", formnovalidate: true, class: "quiet" }, "Cancel")),
      ),
    );
    dialog.addEventListener("close", () => {
      dialog.remove();
      const token = dialog.returnValue === "use" && input.value !== "" ? input.value : null;
      if (token === null) declined = true;
      else store(token);
      resolve(token);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

function store(token: string): void {
  current = token;
  try {
    sessionStorage.setItem(key, token);
  } catch {
    // Not stored: the dialog appears again after a reload.
  }
}
