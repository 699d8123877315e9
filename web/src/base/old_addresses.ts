// Addresses of earlier versions: the network inspector was the start page, and some parameters had other names.

import type { Route } from "./router";

const renamed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  predict: { limit: "power-limit", latency: "max-latency", throughput: "min-throughput", power: "max-power" },
  cap: { latency: "max-latency" },
};

// The route itself if it is current.
export function currentAddress(route: Route): Route {
  const name = route.name === "" && route.parameters.size > 0 ? "networks" : route.name;
  const names = renamed[name] ?? {};
  if (name === route.name && !Object.keys(names).some((old) => route.parameters.has(old))) return route;
  const parameters = new URLSearchParams([...route.parameters].map(([key, value]) => [names[key] ?? key, value]));
  return { name, parameters };
}
