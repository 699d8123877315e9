// The dashboard at a running server: every page draws from real runs of the program.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { charts, drawAll, openBrowser, overflow } from "./support/browser.mjs";
import { serve, temporaryFolder } from "./support/ergon.mjs";

const folder = temporaryFolder();
let browser, server;
before(async () => {
  server = await serve(join(folder.path, "results"), { twins: ["v100:resnet50:32", "a30"] });
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  folder.remove();
});

async function open(route, options) {
  const page = await browser.page(options);
  await page.goto(`${server.address}#/${route}`);
  await page.waitForSelector("main[data-ready=true]");
  return page;
}

const pages = [
  { route: "networks?network=resnet50", charts: 3 },
  { route: "predict?network=resnet50&device=h200&batch=32", charts: 4 },
  { route: "allocate?network=scalesim/MobileNet", charts: 2 },
  { route: "devices", charts: 2 },
  { route: "sweep", charts: 0 },
  { route: "cap", charts: 0 },
  { route: "fleet", charts: 0 },
  { route: "jobs", charts: 0 },
  { route: "results", charts: 0 },
];

for (const { route, charts: least } of pages) {
  test(`${route.replace(/\?.*/, "")} is drawn`, async () => {
    for (const width of [1280, 360]) {
      const page = await open(route, { width });
      if (least > 0) {
        await page.waitForFunction((n) => document.querySelectorAll("main figure.chart").length >= n, least, { timeout: 60000 });
      }
      await drawAll(page);
      const drawn = await charts(page);
      assert.deepEqual(drawn.filter((each) => each.problem || each.marks < 3 || !each.labelled), []);
      assert.equal(await page.locator("main .problem").count(), 0);
      assert.ok((await overflow(page)) <= 0, `wider than the window at ${width} px`);
      assert.deepEqual(page.faults, []);
      await page.close();
    }
  });
}

test("a slider answers at once", async () => {
  const page = await open("predict?network=resnet50&device=h200&batch=32");
  const slider = page.locator("main input[type=range]").first();
  await slider.waitFor();
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  const before = await page.locator("main").innerText();
  await slider.focus();
  await page.keyboard.press("Home");
  await page.waitForFunction((old) => document.querySelector("main").innerText !== old, before);
  assert.deepEqual(requests, [], "nothing is asked for");
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("a fleet is made, analysed and drawn", async () => {
  const page = await open("fleet");
  await page.locator("main [name=hosts]").fill("24");
  await page.locator("main [name=hours]").fill("0.5");
  await page.getByRole("button", { name: "Simulate and analyse" }).click();
  await page.waitForFunction(() => document.querySelectorAll("main figure.chart").length >= 5, null, { timeout: 60000 });
  await drawAll(page);
  const drawn = await charts(page);
  assert.deepEqual(drawn.filter((each) => each.problem || each.marks < 3), []);
  assert.ok(drawn.some((each) => /heat/.test(each.id)), drawn.map((each) => each.id).join());
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("results of jobs are listed and opened", async () => {
  const page = await open("results");
  await page.getByRole("link", { name: /fleet/ }).first().click();
  await page.waitForFunction(() => document.querySelectorAll("main figure.chart").length >= 5, null, { timeout: 60000 });
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
