// Load time of the largest report and response time of a page, in Chromium on this machine.
//   ERGON_PROGRAMS=build/bench/bin node bench/web/paint.mjs

import { statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { drawAll, openBrowser } from "../../tests/web/support/browser.mjs";
import { ergon, temporaryFolder } from "../../tests/web/support/ergon.mjs";

const folder = temporaryFolder();
const at = (name) => join(folder.path, name);
const median = (all) => all.toSorted?.((a, b) => a - b)[all.length >> 1] ?? [...all].sort((a, b) => a - b)[all.length >> 1];

function reports() {
  ergon("sweep", "--device", "v100s", "--networks", "table1", "--clocks", "20", "--repeat", "3", "--out", at("sweep"), "-q");
  ergon("sweep", "evaluate", at("sweep"), "--html", at("sweep.html"));
  ergon("predict", "resnet50", "--device", "h200", "--batch", "32", "--html", at("predict.html"));
  ergon("fleet", "generate", "--hosts", "256", "--hours", "1", "--out", at("fleet"), "-q");
  ergon("fleet", "analyze", "--checkpoints", at("fleet/application-checkpoints.csv"), "--gpu", at("fleet/gpu.csv"),
        "--tasks", at("fleet/task-x-y.csv"), "--html", at("fleet.html"));
  try {
    ergon("reproduce", "arada", "--html", at("arada.html"));
  } catch (error) {
    if (error.status !== 3) throw error;
  }
  return ["sweep", "predict", "fleet", "arada"];
}

async function firstPaint(browser, file) {
  const page = await browser.page();
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector("main[data-ready=true]");
  const seen = await page.evaluate(() => ({
    paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN,
    ready: performance.now(),
  }));
  await page.close();
  return seen;
}

// Time from a key press to the next frame, for a slider of the prediction and a theme change.
async function interaction(browser, file, act) {
  const page = await browser.page();
  await page.goto(pathToFileURL(file).href);
  await drawAll(page);
  const times = [];
  for (let i = 0; i < 9; ++i) times.push(await page.evaluate(act, i));
  await page.close();
  return median(times);
}

const slide = (i) => new Promise((resolve) => {
  const slider = document.querySelector("main input[type=range]");
  const start = performance.now();
  slider.value = String(Number(slider.min) + (i % 5) * (Number(slider.max) - Number(slider.min)) / 5);
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - start)));
});
const sort = (i) => new Promise((resolve) => {
  const heads = document.querySelectorAll("main table th button");
  const start = performance.now();
  heads[i % heads.length]?.click();
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - start)));
});

const browser = await openBrowser();
try {
  console.log(`${"report".padEnd(10)} ${"size".padStart(9)} ${"first paint".padStart(12)} ${"page loaded".padStart(12)}   median of 5`);
  for (const name of reports()) {
    const seen = [];
    for (let i = 0; i < 5; ++i) seen.push(await firstPaint(browser, at(`${name}.html`)));
    const size = `${(statSync(at(`${name}.html`)).size / 1e6).toFixed(2)} MB`;
    console.log(`${name.padEnd(10)} ${size.padStart(9)} ${`${median(seen.map((s) => s.paint)).toFixed(0)} ms`.padStart(12)} ` +
                `${`${median(seen.map((s) => s.ready)).toFixed(0)} ms`.padStart(12)}`);
  }
  console.log(`slider of the prediction, to the next frame:        ${(await interaction(browser, at("predict.html"), slide)).toFixed(0)} ms`);
  console.log(`sorting a table of the sweep:                       ${(await interaction(browser, at("sweep.html"), sort)).toFixed(0)} ms`);
} finally {
  await browser.close();
  folder.remove();
}
