// Updates some parameters of the address, so that several parts of a page can each store their values there.

import { currentRoute, keepParameters } from "./router";

type Changes = Readonly<Record<string, string | null>>; // null removes

let waiting: { changes: Changes; signal: AbortSignal; address: string } | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

// Changes are dropped when the user leaves the page. Browsers limit the rate of address changes, and a slider makes
// hundreds, so changes are collected and written after 200 ms.
export function updateParameters(changes: Changes, signal: AbortSignal): void {
  waiting = { changes: { ...(waiting?.signal === signal ? validChanges() : {}), ...changes }, signal, address: location.hash };
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (Object.keys(validChanges()).length > 0) keepParameters(pendingParameters());
    waiting = null;
  }, 200);
}

// Parameters of the address, including changes that are not written yet.
export function pendingParameters(): URLSearchParams {
  return merged(currentRoute().parameters, validChanges());
}

function validChanges(): Changes {
  return waiting === null || waiting.signal.aborted || waiting.address !== location.hash ? {} : waiting.changes;
}

export function merged(parameters: URLSearchParams, changes: Changes): URLSearchParams {
  const result = new URLSearchParams(parameters);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") result.delete(name);
    else result.set(name, value);
  }
  return result;
}
