// The dashboard of a running server: every page, with real data.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { loneElements, openBrowser, overflow } from "./support/browser.mjs";
import { wholeCharts } from "./support/charts.mjs";
import { ergon, serve, temporaryFolder } from "./support/ergon.mjs";
import { livePages } from "./support/live_pages.mjs";

const folder = temporaryFolder();
const results = join(folder.path, "results");
let browser, server;
before(async () => {
  mkdirSync(results);
  writeFileSync(join(results, "of-my-own.json"), ergon("inspect", "resnet18", "--json"));
  server = await serve(results, { twins: ["v100:resnet50:32", "a30"] });
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  folder.remove();
});

const open = (route, options) => browser.open(server, route, options);
const untilCharts = (page, min) =>
  page.waitForFunction((n) => document.querySelectorAll("main figure.chart").length >= n, min, { timeout: 60000 });

async function fieldsOf(page, form) {
  const found = page.getByRole("form", { name: form, exact: true });
  await found.waitFor();
  return found.evaluate((element) => [...new Set([...element.elements].map(({ name }) => name).filter((name) => name !== ""))]);
}

for (const { route, heading, charts, forms = {}, shows = /./ } of livePages) {
  test(`${heading} is drawn`, async () => {
    for (const width of [1280, 1920, 360]) {
      const page = await open(route, { width });
      assert.equal(await page.locator("main h1").innerText(), heading);
      await untilCharts(page, charts);
      for (const [form, fields] of Object.entries(forms)) assert.deepEqual(await fieldsOf(page, form), fields);
      await wholeCharts(page);
      await page.waitForFunction((text) => new RegExp(text).test(document.querySelector("main").innerText), shows.source);
      assert.equal(await page.locator("main .problem").count(), 0);
      assert.ok((await overflow(page)) <= 0, `wider than the window at ${width} px`);
      assert.deepEqual(await loneElements(page), [], `lone elements at ${width} px`);
      assert.deepEqual(page.faults, []);
      await page.close();
    }
  });
}

test("addresses of earlier versions redirect", async () => {
  for (const [old, current] of [
    ["?network=resnet50&batch=8", "networks?network=resnet50&batch=8"],
    ["predict?network=resnet50&device=h200&limit=400W", "predict?network=resnet50&device=h200&power-limit=400W"],
  ]) {
    const page = await open(old);
    assert.match(page.url(), new RegExp(`#/${current.split("?")[0]}\\?`));
    for (const [name, value] of new URLSearchParams(current.split("?")[1])) assert.ok(page.url().includes(`${name}=${value}`), page.url());
    assert.deepEqual(page.faults, []);
    await page.close();
  }
});

// Marks of the selected clock in the charts, and the energy curve.
const clockMarks = (page) =>
  page.$$eval("main svg [aria-label='selected clock'] line", (lines) => lines.map((each) => Number(each.getAttribute("x1"))));
const curve = "[data-chart=predict-energy] svg [aria-label=line] path";
const shape = (page) => page.locator(curve).getAttribute("d");

test("sliders move the marks without requests", async () => {
  const page = await open("predict?network=resnet50&device=h200&batch=32");
  await untilCharts(page, 4);
  await wholeCharts(page);
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  const figures = page.locator("main [data-facts=predict]");
  const [marks, energy, facts] = [await clockMarks(page), await shape(page), await figures.innerText()];
  assert.ok(marks.length >= 3, "charts over the clock");

  await page.locator("main [name=at-clock]").press("Home");
  const moved = await clockMarks(page);
  assert.deepEqual(moved.map((x, i) => x < marks[i]), marks.map(() => true), `from ${marks} to ${moved}`);
  assert.equal(await shape(page), energy, "the clock moves along the curve");
  assert.notEqual(await figures.innerText(), facts);

  await page.locator("main [name=at-batch]").press("End");
  // Charts outside the viewport are redrawn when they become visible.
  await page.locator("[data-chart=predict-energy]").scrollIntoViewIfNeeded();
  await page.locator(`${curve}:not([d="${energy}"])`).waitFor();
  assert.deepEqual(requests, []);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("the example of an empty page is started by its button", async () => {
  const page = await open("sweep");
  await page.getByRole("button", { name: "Start the example" }).click();
  await page.waitForSelector(".job[data-state=done]", { timeout: 60000 });
  await untilCharts(page, 3);
  assert.equal(await page.locator("main .empty-state").count(), 0);
  // The page shows the newest job when it is opened again.
  const again = await open("sweep");
  await again.waitForSelector(".job[data-state=done]");
  assert.deepEqual([...page.faults, ...again.faults], []);
  await again.close();
  await page.close();
});

test("a fleet is simulated, analyzed and drawn", async () => {
  const page = await open("fleet");
  await page.locator("main [name=hosts]").fill("24");
  await page.locator("main [name=hours]").fill("0.5");
  await page.getByRole("button", { name: "Simulate and analyze" }).click();
  await untilCharts(page, 5);
  const drawn = await wholeCharts(page);
  assert.ok(drawn.some((id) => /heat/.test(id)), drawn.join());
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("jobs and their results are listed and opened", async () => {
  const { id } = await server.send("POST", "/api/v1/jobs", { command: "fleet", options: { hosts: 8, hours: 0.2 } });
  await server.until(id, (job) => job.state === "done");
  const page = await open("jobs");
  const row = page.locator(`main tr[data-job="${id}"]`);
  await row.getByText("done").waitFor();
  await row.getByRole("link", { name: /^Result/ }).click();
  await page.waitForSelector("main[data-page=results]");
  await untilCharts(page, 5);
  await wholeCharts(page);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("a document in the results folder is listed and opened", async () => {
  const page = await open("results");
  await page.getByRole("row", { name: /ergon\.inspect/ }).getByRole("link").click();
  await untilCharts(page, 3);
  assert.match(await page.locator("main").innerText(), /resnet18/);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("pages are reached by keyboard", async () => {
  const page = await open("networks");
  await page.keyboard.press("Tab");
  assert.match(await page.evaluate(() => document.activeElement.textContent), /skip/i);
  const links = page.locator("nav a");
  await links.filter({ hasText: "Devices" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector("main[data-page=devices][data-ready=true]");
  assert.deepEqual(page.faults, []);
  await page.close();
});
