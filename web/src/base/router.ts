// Routes in the hash: "#/predict?network=resnet50&batch=32". Works from file:// and from a server.

import { currentAddress } from "./old_addresses";

export interface Route {
  name: string; // "": the start page
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

// Navigates: adds a history entry and draws the page.
export function go(name: string, parameters: Readonly<Record<string, string>> | URLSearchParams = {}): void {
  location.hash = linkTo(name, parameters);
}

// Stores parameters in the address without redrawing, so that a reload or a copied link restores them.
export function keepParameters(parameters: Readonly<Record<string, string>> | URLSearchParams): void {
  history.replaceState(history.state, "", linkTo(currentRoute().name, parameters));
}

// Replaces an address of an earlier version.
function updatedRoute(): Route {
  const route = currentRoute();
  const updated = currentAddress(route);
  if (updated !== route) history.replaceState(history.state, "", linkTo(updated.name, updated.parameters));
  return updated;
}

export function startRouter(show: (route: Route) => void): void {
  window.addEventListener("hashchange", () => {
    // The skip link's #main is not a route.
    if (location.hash === "" || location.hash.startsWith("#/")) show(updatedRoute());
  });
  show(updatedRoute());
}
