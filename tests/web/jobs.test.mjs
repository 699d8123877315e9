// Jobs on the dashboard: change a cap, cancel and resume a sweep, restart the server.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openBrowser } from "./support/browser.mjs";
import { wholeCharts } from "./support/charts.mjs";
import { serve, temporaryFolder } from "./support/ergon.mjs";

const folder = temporaryFolder();
const results = join(folder.path, "results");
let browser, server;
before(async () => {
  server = await serve(results);
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  folder.remove();
});

// Console messages while the server is unreachable.
const forgive = [/ERR_CONNECTION_REFUSED/, /Failed to load resource/, /ERR_INCOMPLETE_CHUNKED_ENCODING/, /ERR_CONNECTION_RESET/,
                 /ERR_EMPTY_RESPONSE/];

const open = (route, options) => browser.open(server, route, options);
const newest = async (command) => (await server.get("/api/v1/jobs")).jobs.find((job) => job.command === command);

async function startCap(page, seconds) {
  const form = page.locator('form[aria-label="Hold a power cap"]');
  await form.locator("[name=duration]").fill(String(seconds));
  await form.locator("[name=watts]").fill("250");
  await form.getByRole("button", { name: "Start" }).click();
  await page.waitForSelector(".job[data-state=running] form.cap-control:not([hidden])");
  return (await newest("cap")).id;
}

// Rows of the power chart.
async function drawnRows(page) {
  const figure = page.locator("main figure.chart[data-chart=cap-live-power]");
  const [file] = await Promise.all([page.waitForEvent("download"), figure.getByRole("button", { name: /CSV/ }).click()]);
  const [header, ...rows] = readFileSync(await file.path(), "utf8").trim().split("\n").filter((line) => !line.startsWith("#"));
  return { header, rows };
}

async function untilRows(page, wanted, seconds = 40) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end;) {
    const { rows } = await drawnRows(page);
    if (wanted(rows)) return rows;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error("the chart does not have the expected rows");
}

test("the chart follows a changed cap", async () => {
  const page = await open("cap");
  const id = await startCap(page, 120);
  await untilRows(page, (rows) => rows.length > 3);
  await page.locator("form.cap-control input[type=number]").fill("150");
  await page.getByRole("button", { name: "Set cap" }).click();
  await untilRows(page, (rows) => /\b150\b/.test(rows.at(-1)));
  const job = await server.get(`/api/v1/jobs/${id}`);
  assert.equal(job.cap_watts, 150);
  // The job still runs.
  await server.until(id, (now) => now.state === "running");
  await wholeCharts(page);
  const before = (await drawnRows(page)).rows.length;
  await page.reload();
  await page.waitForSelector("form.cap-control:not([hidden])");
  await untilRows(page, (rows) => rows.length >= before);
  await page.locator(".job[data-job]").getByRole("button", { name: "Cancel" }).click();
  await server.until(id, (now) => now.state === "cancelled");
  await page.waitForSelector(".job[data-state=cancelled]");
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("a sweep is cancelled and resumed", async () => {
  const started = await server.send("POST", "/api/v1/jobs", {
    command: "sweep",
    options: { device: "v100s", networks: ["table1"], clocks: "120", repeat: 5 },
  });
  const page = await open(`sweep?job=${started.id}`);
  await server.until(started.id, (job) => job.progress && job.progress.done > 0);
  const panel = page.locator(`.job[data-job="${started.id}"]`);
  await panel.getByRole("button", { name: "Cancel" }).click();
  const cancelled = await server.until(started.id, (job) => job.state !== "running");
  assert.equal(cancelled.state, "cancelled");
  assert.ok(cancelled.result, "a partial result exists");
  const partial = await server.get(`/api/v1/jobs/${started.id}/result`);
  await panel.getByRole("button", { name: "Resume" }).click();
  await server.until(started.id, (job) => job.state === "running", 20);
  await server.until(started.id, (job) => job.state === "done", 240);
  const whole = await server.get(`/api/v1/jobs/${started.id}/result`);
  assert.equal(whole.runs, 31 * 120 * 5);
  assert.ok(partial.runs < whole.runs, `${partial.runs} of ${whole.runs} runs`);
  await page.reload();
  await page.waitForFunction(() => document.querySelectorAll("main figure.chart").length > 31, null, { timeout: 60000 });
  await wholeCharts(page);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("the form starts a sweep", async () => {
  const page = await open("sweep");
  // The page shows the newest job until another one starts.
  const shown = (await newest("sweep"))?.id ?? "";
  const form = page.locator('form[aria-label="Sweep networks over clocks"]');
  await form.getByRole("button", { name: "Start" }).click();
  await page.waitForSelector(`.job[data-job]:not([data-job="${shown}"])`);
  const job = await newest("sweep");
  await server.until(job.id, (now) => now.state === "done", 120);
  await page.waitForFunction(() => document.querySelectorAll("main figure.chart").length > 3, null, { timeout: 60000 });
  await wholeCharts(page);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("jobs beyond the limit are queued, and failed jobs show their reason", async () => {
  const small = await serve(join(folder.path, "small"), { options: ["--max-running-jobs", "1"] });
  try {
    const start = (command, options) => small.send("POST", "/api/v1/jobs", { command, options });
    const running = await start("cap", { network: "resnet18", device: "v100", watts: 200, duration: "120s" });
    const failing = await start("sweep", { device: "v100", networks: "resnet51" });
    const page = await browser.open(small, "jobs");
    const row = page.locator(`tr[data-job="${failing.id}"]`);
    await row.getByText("queued", { exact: true }).waitFor();
    assert.equal(await row.getByRole("button", { name: /Cancel/ }).count(), 1);
    assert.equal(await row.getByRole("button", { name: /Delete/ }).count(), 0);
    await page.locator(`tr[data-job="${running.id}"]`).getByRole("button", { name: /Cancel/ }).click();
    await row.getByText(/unknown network "resnet51"/).waitFor();
    await row.getByText("failed", { exact: true }).waitFor();
    assert.deepEqual(page.faults, []);
    await page.close();
  } finally {
    await small.stop();
  }
});

test("the page works after the server restarts", async () => {
  const page = await open("cap", { forgive });
  const id = await startCap(page, 120);
  await untilRows(page, (rows) => rows.length > 2);
  const { port } = server;
  await server.stop("SIGKILL");
  await page.getByText(/server does not respond/i).first().waitFor({ timeout: 30000 });
  server = await serve(results, { port });
  await page.waitForSelector(".job[data-state=interrupted]", { timeout: 60000 });
  assert.equal((await server.get(`/api/v1/jobs/${id}`)).state, "interrupted");
  const again = await startCap(page, 60);
  await untilRows(page, (rows) => rows.length > 2);
  await server.send("POST", `/api/v1/jobs/${again}/cancel`);
  assert.deepEqual(page.faults, []);
  await page.close();
});
