// Pages by hash: "#/predict?network=resnet50&batch=32". Works from file:// as well as from a server.

export interface Route {
  name: string; // "" where the hash names no page
  parameters: URLSearchParams;
}

export function currentRoute(): Route {
  const match = /^#\/([^?]*)(?:\?(.*))?$/.exec(location.hash);
  return { name: match?.[1] ?? "", parameters: new URLSearchParams(match?.[2] ?? "") };
}

export function linkTo(name: string, parameters: Readonly<Record<string, string>> | URLSearchParams = {}): string {
  const query = new URLSearchParams(parameters).toString();
  return query === "" ? `#/${name}` : `#/${name}?${query}`;
}

// Goes there: a new entry in the history, and the page is drawn anew.
export function go(name: string, parameters: Readonly<Record<string, string>> | URLSearchParams = {}): void {
  location.hash = linkTo(name, parameters);
}

// Keeps what the page shows in its address without drawing it anew, so that a reload or a copied link comes back to it.
export function keepParameters(parameters: Readonly<Record<string, string>> | URLSearchParams): void {
  history.replaceState(history.state, "", linkTo(currentRoute().name, parameters));
}

export function startRouter(show: (route: Route) => void): void {
  window.addEventListener("hashchange", () => {
    // A skip link's #main is a place on the page, not a page.
    if (location.hash === "" || location.hash.startsWith("#/")) show(currentRoute());
  });
  show(currentRoute());
}
