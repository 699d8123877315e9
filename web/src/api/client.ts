// Requests to the server. Failures are values. A question (GET) waits while the server is away and is asked again when
// it is back; an order (POST, PUT, DELETE) is never sent twice.

import type { ErgonDocument } from "../documents/document";
import { asDocument, isObject, object, text } from "../documents/document";
import { askToken, keptToken } from "./token";
import type { Answer, Failure, Job } from "./types";

export type Parameters = Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>;

const root = "/api/v1";
const awayMilliseconds = 2000;

export class Client {
  private readonly awayListeners = new Set<(away: boolean) => void>();

  // Told true when the server stops answering and false when it is back.
  onAway(listener: (away: boolean) => void): void {
    this.awayListeners.add(listener);
  }

  async document(path: string, parameters: Parameters = {}, signal?: AbortSignal): Promise<Answer<ErgonDocument>> {
    const answer = await this.get<unknown>(path, parameters, signal);
    if (!answer.ok) return answer;
    const found = asDocument(answer.value);
    return found ? { ok: true, value: found } : failure("invalid_input", `${path} did not answer with a document`);
  }

  // The caller names the type that the contract promises for this path.
  async get<T>(path: string, parameters: Parameters = {}, signal?: AbortSignal): Promise<Answer<T>> {
    for (;;) {
      const answer = await this.once<T>("GET", path + query(parameters), undefined, signal);
      if (answer.ok || answer.error.kind !== "away") {
        this.sayAway(false);
        return answer;
      }
      this.sayAway(true);
      await pause(awayMilliseconds, signal);
      if (signal?.aborted) return failure("cancelled", "no longer wanted");
    }
  }

  send<T>(method: "POST" | "PUT" | "DELETE", path: string, body?: unknown, signal?: AbortSignal): Promise<Answer<T>> {
    return this.once<T>(method, path, body, signal);
  }

  startJob(command: string, options: Readonly<Record<string, unknown>>): Promise<Answer<Job>> {
    return this.send<Job>("POST", "/jobs", { command, options });
  }

  // The bare response, for streams; asks for the token as the others do. Throws where there is no answer.
  async fetch(method: string, path: string, init: { body?: string; headers?: Record<string, string>; signal?: AbortSignal } = {}): Promise<Response> {
    for (;;) {
      const token = keptToken();
      const headers = { ...init.headers, ...(token === null ? {} : { Authorization: `Bearer ${token}` }) };
      const response = await fetch(root + path, { ...init, method, headers, cache: "no-store" });
      if (response.status !== 401 || (await askToken(token)) === null) return response;
    }
  }

  private async once<T>(method: string, path: string, body: unknown, signal: AbortSignal | undefined): Promise<Answer<T>> {
    try {
      const response = await this.fetch(method, path, {
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
        ...(signal ? { signal } : {}),
      });
      const said: unknown = response.status === 204 ? null : await response.json().catch(() => null);
      if (response.ok) return { ok: true, value: said as T };
      return { ok: false, error: failureOf(response.status, said) };
    } catch {
      if (signal?.aborted) return failure("cancelled", "no longer wanted");
      return failure("away", "The server does not answer.");
    }
  }

  private sayAway(away: boolean): void {
    for (const listener of this.awayListeners) listener(away);
  }
}

// Lists become "a,b", flags "true"; what is null, false or empty is left out.
export function query(parameters: Parameters): string {
  const written = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === null || value === undefined || value === false || value === "") continue;
    if (Array.isArray(value)) {
      if (value.length > 0) written.set(name, value.join(","));
    } else written.set(name, String(value));
  }
  const text = written.toString();
  return text === "" ? "" : `?${text}`;
}

export function failure(kind: string, message: string): { ok: false; error: Failure } {
  return { ok: false, error: { kind, message } };
}

function failureOf(status: number, said: unknown): Failure {
  const error = isObject(said) ? object(said, "error") : null;
  const kind = text(error, "kind") ?? (status === 401 ? "permission" : "io");
  return { kind, message: text(error, "message") ?? `The server answered with status ${status}.` };
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
