// Requests to the server. Failures are values. GET requests are repeated until the server is reachable; POST, PUT and
// DELETE are sent once.

import type { ErgonDocument } from "../documents/document";
import { asDocument, isObject, object, text } from "../documents/document";
import { askToken, storedToken } from "./token";
import type { ApiResult, Failure, Job } from "./types";

export type Parameters = Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>;

const root = "/api/v1";
const retryMilliseconds = 2000;

export class Client {
  private readonly reachabilityListeners = new Set<(reachable: boolean) => void>();

  // Called with false when the server becomes unreachable and with true when it responds again.
  onReachable(listener: (reachable: boolean) => void): void {
    this.reachabilityListeners.add(listener);
  }

  async document(path: string, parameters: Parameters = {}, signal?: AbortSignal): Promise<ApiResult<ErgonDocument>> {
    const result = await this.get<unknown>(path, parameters, signal);
    if (!result.ok) return result;
    const found = asDocument(result.value);
    return found ? { ok: true, value: found } : failure("invalid_input", `The response of ${path} is not an Ergon document.`);
  }

  // The caller names the response type of this path.
  async get<T>(path: string, parameters: Parameters = {}, signal?: AbortSignal): Promise<ApiResult<T>> {
    for (;;) {
      const result = await this.once<T>("GET", path + query(parameters), undefined, signal);
      if (result.ok || result.error.kind !== "unreachable") {
        this.setReachable(true);
        return result;
      }
      this.setReachable(false);
      await pause(retryMilliseconds, signal);
      if (signal?.aborted) return failure("cancelled", "The request was cancelled.");
    }
  }

  send<T>(method: "POST" | "PUT" | "DELETE", path: string, body?: unknown, signal?: AbortSignal): Promise<ApiResult<T>> {
    return this.once<T>(method, path, body, signal);
  }

  startJob(command: string, options: Readonly<Record<string, unknown>>): Promise<ApiResult<Job>> {
    return this.send<Job>("POST", "/jobs", { command, options });
  }

  // The raw response, for streams. Asks for the token if needed. Throws if the server is unreachable.
  async fetch(method: string, path: string, init: { body?: string; headers?: Record<string, string>; signal?: AbortSignal } = {}): Promise<Response> {
    for (;;) {
      const token = storedToken();
      const headers = { ...init.headers, ...(token === null ? {} : { Authorization: `Bearer ${token}` }) };
      const response = await fetch(root + path, { ...init, method, headers, cache: "no-store" });
      if (response.status !== 401 || (await askToken(token)) === null) return response;
    }
  }

  private async once<T>(method: string, path: string, content: unknown, signal: AbortSignal | undefined): Promise<ApiResult<T>> {
    try {
      const response = await this.fetch(method, path, {
        ...(content === undefined ? {} : { body: JSON.stringify(content), headers: { "Content-Type": "application/json" } }),
        ...(signal ? { signal } : {}),
      });
      const body: unknown = response.status === 204 ? null : await response.json().catch(() => null);
      if (response.ok) return { ok: true, value: body as T };
      return { ok: false, error: failureOf(response.status, body) };
    } catch {
      if (signal?.aborted) return failure("cancelled", "The request was cancelled.");
      return failure("unreachable", "The server does not respond.");
    }
  }

  private setReachable(reachable: boolean): void {
    for (const listener of this.reachabilityListeners) listener(reachable);
  }
}

// Lists become "a,b", flags "true"; null, false and empty values are omitted.
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

function failureOf(status: number, body: unknown): Failure {
  const error = isObject(body) ? object(body, "error") : null;
  const kind = text(error, "kind") ?? (status === 401 ? "permission" : "io");
  return { kind, message: text(error, "message") ?? `The server responded with status ${status}.` };
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
