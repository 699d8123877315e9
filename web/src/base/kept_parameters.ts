// Changes some of the address's parameters and leaves the others, so that several parts of a page can each keep their own.

import { currentRoute, keepParameters } from "./router";

type Changes = Readonly<Record<string, string | null>>; // null removes

let waiting: { changes: Changes; signal: AbortSignal; address: string } | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

// Nothing is written once the page was left, nor after the address has changed, which is a moment earlier. Browsers
// refuse too many changes in a row, and a slider makes hundreds: they are written together, when it rests.
export function keepSome(changes: Changes, signal: AbortSignal): void {
  waiting = { changes: { ...(waiting?.signal === signal ? stillWanted() : {}), ...changes }, signal, address: location.hash };
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (Object.keys(stillWanted()).length > 0) keepParameters(keptParameters());
    waiting = null;
  }, 200);
}

// The address's parameters, with changes that wait to be written.
export function keptParameters(): URLSearchParams {
  return merged(currentRoute().parameters, stillWanted());
}

function stillWanted(): Changes {
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
