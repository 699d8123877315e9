// Light and dark theme: the system's until the user chooses; the choice is stored if the browser allows it.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { pathToFileURL } from "node:url";
import { drawAll, openBrowser, refuse } from "./support/browser.mjs";
import { ergon, serve, temporaryFolder } from "./support/ergon.mjs";

const folder = temporaryFolder();
const report = join(folder.path, "report.html");
let browser, server, dashboard;
before(async () => {
  ergon("predict", "resnet50", "--device", "h200", "--batch", "32", "--html", report);
  server = await serve(join(folder.path, "results"));
  dashboard = `${server.address}#/predict?network=resnet50&device=h200&batch=32`;
});
after(async () => {
  await server?.stop();
  folder.remove();
});
// A new browser profile for every test.
beforeEach(async () => { browser = await openBrowser(); });
afterEach(() => browser.close());

async function open({ address = dashboard, system = "light", stores = true } = {}) {
  const page = await browser.page();
  await page.emulateMedia({ colorScheme: system });
  if (!stores) await refuse(page, "localStorage");
  await page.goto(address);
  await drawn(page);
  return page;
}

async function reload(page) {
  await page.reload();
  await drawn(page);
}

async function drawn(page) {
  await page.waitForSelector("[data-chart=predict-energy]");
  await drawAll(page);
}

// Colors as drawn, and the resulting theme.
async function look(page) {
  const seen = await page.evaluate(() => {
    const figure = document.querySelector("[data-chart=predict-energy]");
    const root = getComputedStyle(document.documentElement);
    return {
      page: root.backgroundColor,
      text: root.color,
      curve: getComputedStyle(figure.querySelector("svg [aria-label=line]")).stroke,
      legend: getComputedStyle(figure.querySelector(".legend svg")).color,
    };
  });
  return { ...seen, theme: lightness(seen.page) > lightness(seen.text) ? "light" : "dark" };
}

// 0 is black, 1 white.
function lightness(color) {
  const [red, green, blue] = color.match(/\d+/g).map(Number);
  return (red + green + blue) / 765;
}

// Charts are redrawn in the next frames.
async function untilLook(page, theme, curve) {
  await page.waitForFunction((old) => {
    const line = document.querySelector("[data-chart=predict-energy] svg [aria-label=line]");
    return getComputedStyle(line).stroke !== old;
  }, curve);
  const now = await look(page);
  assert.equal(now.theme, theme);
  assert.equal(now.legend, now.curve, "the legend has the color of its line");
  return now;
}

const toggle = (page) => page.getByRole("button", { name: /^(Light|Dark)$/ });

test("the button switches the colors of page and charts", async () => {
  for (const address of [dashboard, pathToFileURL(report).href]) {
    const page = await open({ address });
    const light = await look(page);
    assert.equal(light.theme, "light");
    assert.equal(await toggle(page).innerText(), "Dark");
    await toggle(page).click();
    const dark = await untilLook(page, "dark", light.curve);
    for (const part of ["page", "text", "curve", "legend"]) assert.notEqual(dark[part], light[part], part);
    assert.equal(await toggle(page).innerText(), "Light");
    await toggle(page).click();
    assert.deepEqual(await untilLook(page, "light", dark.curve), light);
    assert.deepEqual(page.faults, []);
  }
});

test("the system theme is used until the user chooses", async () => {
  const page = await open({ system: "dark" });
  const dark = await look(page);
  assert.equal(dark.theme, "dark");
  await page.emulateMedia({ colorScheme: "light" });
  const light = await untilLook(page, "light", dark.curve);
  await toggle(page).click();
  await untilLook(page, "dark", light.curve);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.emulateMedia({ colorScheme: "light" });
  assert.equal((await look(page)).theme, "dark");
  assert.deepEqual(page.faults, []);
});

test("the choice is kept after a reload and in another tab", async () => {
  const page = await open();
  await toggle(page).click();
  await reload(page);
  assert.equal((await look(page)).theme, "dark");
  const other = await open();
  assert.equal((await look(other)).theme, "dark");
  assert.deepEqual([...page.faults, ...other.faults], []);
});

test("switching works without local storage", async () => {
  const page = await open({ stores: false });
  const light = await look(page);
  await toggle(page).click();
  await untilLook(page, "dark", light.curve);
  await reload(page);
  assert.deepEqual(await look(page), light);
  assert.deepEqual(page.faults, []);
});
