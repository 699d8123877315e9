// One chart: value under the pointer, downloads, and the mark of simulated data.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openBrowser } from "./support/browser.mjs";
import { ergon, temporaryFolder } from "./support/ergon.mjs";

const folder = temporaryFolder();
let browser;
before(async () => { browser = await openBrowser(); });
after(async () => {
  await browser?.close();
  folder.remove();
});

function report(name, ...words) {
  const file = join(folder.path, name);
  ergon(...words, "--html", file);
  return browser.openReport(file);
}
const capped = (name) => report(name, "cap", "resnet50", "--device", "v100", "--cap", "180W", "--duration", "20s");

async function download(page, figure, name) {
  const [file] = await Promise.all([page.waitForEvent("download"), figure.getByRole("button", { name }).click()]);
  return readFileSync(await file.path(), "utf8");
}

test("a chart offers its data and its picture", async () => {
  const page = await capped("files.html");
  const figure = page.locator("main figure.chart").first();
  const csv = await download(page, figure, /CSV/);
  assert.ok(csv.split("\n").length > 10, "rows");
  const svg = await download(page, figure, /SVG/);
  assert.match(svg, /^(<\?xml[^>]*>\s*)?<svg[^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
  assert.deepEqual(page.faults, []);
  await page.close();
});

// Badge and accessible name of each chart.
const origins = (page) => page.$$eval("main figure.chart", (figures) => figures.map((figure) => ({
  id: figure.dataset.chart,
  badge: (figure.closest("[data-multiples]") ?? figure).querySelector(".chart-head > .badge")?.textContent ?? null,
  named: figure.querySelector("[role=img]").getAttribute("aria-label").endsWith(", simulated"),
})));

test("only simulated data is marked, on the page and in files", async () => {
  const pages = [[await capped("simulated.html"), true], [await report("counted.html", "inspect", "resnet50"), false]];
  for (const [page, simulated] of pages) {
    const found = await origins(page);
    assert.ok(found.length >= 3, `${found.length} charts`);
    assert.deepEqual(found, found.map(({ id }) => ({ id, badge: simulated ? "simulated" : null, named: simulated })));
    const figure = page.locator("main figure.chart").first();
    const [head, row] = (await download(page, figure, /CSV/)).split("\r\n");
    assert.deepEqual([head, row].map((line) => line.split(",").at(-1)), ["simulated", String(simulated)]);
    assert.equal((await download(page, figure, /SVG/)).includes("(simulated)"), simulated);
    assert.deepEqual(page.faults, []);
    await page.close();
  }
});

test("the tip shows the value under the pointer", async () => {
  const page = await report("pointed.html", "predict", "resnet50", "--device", "h200", "--batch", "32");
  const figure = page.locator("[data-chart=predict-energy]");
  const tip = figure.locator("svg [aria-label=tip]");
  await figure.getByRole("button", { name: /table/ }).click();
  for (const key of ["Home", "PageUp"]) {
    // The slider shows the clock of the mark in the chart.
    await page.locator("main [name=at-clock]").press(key);
    const clock = await page.locator("label:has([name=at-clock]) output").innerText();
    await figure.locator("[aria-label='selected clock'] circle").hover({ force: true });
    const [shown, value] = (await tip.locator("tspan").allTextContents()).map((line) => line.replace("\u200b", ""));
    assert.equal(shown, clock);
    const row = await figure.getByRole("row", { name: clock }).innerText();
    assert.ok(row.includes(value), `${value} in ${row}`);
  }
  await page.mouse.move(0, 0);
  assert.equal(await tip.textContent(), "");
  assert.deepEqual(page.faults, []);
  await page.close();
});
