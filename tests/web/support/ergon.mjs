// The real program: its commands, and its server on a free loopback port.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve as absolute } from "node:path";

const programs = process.env.ERGON_PROGRAMS;
if (!programs) throw new Error("ERGON_PROGRAMS must be the folder of the programs");
export const program = absolute(programs, "ergon");

// Runs in an empty folder, so that results do not depend on the current folder.
export function ergon(...words) {
  return execFileSync(program, words,
                      { cwd: tmpdir(), encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
}

export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "ergon-web-"));
  return { path: folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

// Resolves when the server listens. An empty token disables authentication; null lets the server create one.
export function serve(results, { port = 0, twins = [], token = "", options = [] } = {}) {
  const words = ["serve", "--port", String(port), "--results", results, "--json", ...options];
  if (twins.length > 0) words.push("--twin", twins.join(","));
  if (token === "") words.push("--no-token");
  const child = spawn(program, words, { env: { ...process.env, ERGON_TOKEN: token ?? "" }, stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve, reject) => {
    let text = "";
    child.once("exit", (code) => reject(new Error(`ergon serve ended with ${code}`)));
    child.stdout.on("data", (piece) => {
      text += piece;
      try {
        const { address, link } = JSON.parse(text);
        child.removeAllListeners("exit");
        resolve(new Server(child, address, token ?? new URL(link).hash.replace("#token=", ""), link));
      } catch {
        // not complete yet
      }
    });
  });
}

class Server {
  constructor(child, address, token, link) {
    this.link = link;
    this.child = child;
    this.address = address;
    this.headers = { "content-type": "application/json", ...(token === "" ? {} : { authorization: `Bearer ${token}` }) };
    this.port = Number(new URL(address).port);
    this.pid = child.pid;
  }

  async stop(signal = "SIGINT") {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill(signal);
    await ended;
  }

  async get(path) {
    const answer = await fetch(new URL(path, this.address), { headers: this.headers });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  async send(method, path, body) {
    const answer = await fetch(new URL(path, this.address), { method, headers: this.headers, body: JSON.stringify(body ?? {}) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return text === "" ? null : JSON.parse(text);
  }

  // Polls until the job satisfies `wanted`.
  async until(id, wanted, seconds = 60) {
    for (const end = Date.now() + seconds * 1000; Date.now() < end;) {
      const job = await this.get(`/api/v1/jobs/${id}`);
      if (wanted(job)) return job;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`job ${id} did not reach the state within ${seconds} s`);
  }
}
