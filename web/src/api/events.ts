// A job's events over fetch (EventSource cannot send a token). Reconnects with Last-Event-ID until `event: end`, an
// error response, or the signal.

import type { Client } from "./client";
import { EventParser } from "./event_stream";
import type { Failure } from "./types";

export interface EventListeners {
  event: (type: string, data: unknown) => void;
  connected?: (connected: boolean) => void;
}

const maxWaitMilliseconds = 10_000;

// Resolves with null when the stream has ended or was aborted, and with the failure on an error response.
export async function followEvents(client: Client, path: string, listeners: EventListeners, signal: AbortSignal): Promise<Failure | null> {
  let last: string | null = null;
  let wait = 1000;
  while (!signal.aborted) {
    try {
      const headers: Record<string, string> = { Accept: "text/event-stream", ...(last === null ? {} : { "Last-Event-ID": last }) };
      const response = await client.fetch("GET", path, { headers, signal });
      if (response.status >= 400 && response.status < 500) return { kind: "not_found", message: `The server responded with status ${response.status}.` };
      if (response.ok && response.body) {
        listeners.connected?.(true);
        wait = 1000;
        const parser = new EventParser();
        const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
        for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
          for (const event of parser.feed(piece.value)) {
            last = event.id ?? last;
            if (event.type === "end") return null;
            listeners.event(event.type, parsed(event.data));
          }
        }
      }
    } catch {
      if (signal.aborted) return null;
    }
    listeners.connected?.(false);
    await new Promise((resolve) => setTimeout(resolve, wait));
    wait = Math.min(wait * 2, maxWaitMilliseconds);
  }
  return null;
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data) as unknown;
  } catch {
    return data;
  }
}
