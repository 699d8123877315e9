// Chromium, and pages that record console errors and requests to other hosts.

import { createRequire } from "node:module";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(new URL("../../../web/package.json", import.meta.url));
const { chromium } = require("playwright-core");

// `ignoreHTTPSErrors`: accepts certificates that no authority signed.
export async function openBrowser({ ignoreHTTPSErrors = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "ergon-web-"));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: process.env.ERGON_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync"],
    viewport: { width: 1280, height: 800 },
    ignoreHTTPSErrors,
  });
  return {
    page: (options) => recordingPage(context, options),
    open: async (server, route, options) => {
      const page = await recordingPage(context, options);
      await page.goto(`${server.address}#/${route}`);
      await page.waitForSelector("main[data-ready=true]");
      return page;
    },
    openReport: async (file, options) => {
      const page = await recordingPage(context, options);
      await page.goto(pathToFileURL(file).href);
      await drawAll(page);
      return page;
    },
    async close() {
      await context.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// `faults` collects errors. `forgive` lists expected messages, for example of an unreachable server.
async function recordingPage(context, { width = 1280, height = 800, forgive = [] } = {}) {
  const page = await context.newPage();
  await page.setViewportSize({ width, height });
  const faults = [];
  const note = (text) => {
    if (!forgive.some((each) => each.test(text))) faults.push(text);
  };
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") note(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => note(`error: ${error.message}`));
  page.on("request", (request) => {
    const url = request.url();
    const local = url.startsWith("file:") || url.startsWith("data:") || url.startsWith("blob:") ||
                new URL(url).hostname === "127.0.0.1";
    if (!local) note(`request to another host: ${url}`);
  });
  page.faults = faults;
  return page;
}

// Draws all charts, also outside the viewport, as before printing.
export async function drawAll(page) {
  await page.waitForSelector("main[data-ready=true]");
  await page.waitForFunction(() => !document.querySelector("main .loading[aria-busy=true]"));
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await page.waitForFunction(() =>
    [...document.querySelectorAll("main figure.chart")].every((each) => each.querySelector(".canvas[data-drawn]")));
}

// Makes `storage` ("localStorage" or "sessionStorage") unavailable for pages opened afterwards.
export function refuse(page, storage) {
  return page.addInitScript((name) => {
    Object.defineProperty(window, name, { get() { throw new DOMException("refused", "SecurityError"); } });
  }, storage);
}

// Grids of several rows with a single element in the last row.
export function loneElements(page) {
  return page.evaluate(() => [...document.querySelectorAll("main :is(.balanced-grid, .columns)")].flatMap((grid) => {
    const boxes = [...grid.children].map((each) => each.getBoundingClientRect()).filter(({ width }) => width > 0);
    const tops = boxes.map(({ top }) => Math.round(top));
    const last = boxes.filter((_, index) => tops[index] === tops.at(-1));
    const columns = Math.max(...tops.map((top) => tops.filter((other) => other === top).length));
    const narrow = last.length === 1 && last[0].width < grid.clientWidth * 0.9;
    return columns > 1 && narrow ? [grid.className] : [];
  }));
}

export function overflow(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}
