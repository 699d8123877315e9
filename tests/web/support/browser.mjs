// Chromium, and pages that notice whatever should not happen: messages of errors, requests to others.

import { createRequire } from "node:module";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(new URL("../../../web/package.json", import.meta.url));
const { chromium } = require("playwright-core");

export async function openBrowser() {
  const folder = mkdtempSync(join(tmpdir(), "ergon-web-"));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: process.env.ERGON_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync"],
    viewport: { width: 1280, height: 800 },
  });
  return {
    page: (options) => watchedPage(context, options),
    open: async (server, route, options) => {
      const page = await watchedPage(context, options);
      await page.goto(`${server.address}#/${route}`);
      await page.waitForSelector("main[data-ready=true]");
      return page;
    },
    openReport: async (file, options) => {
      const page = await watchedPage(context, options);
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

// `faults` fills with what went wrong. `forgive` names messages that are meant to appear, such as a server that is away.
async function watchedPage(context, { width = 1280, height = 800, forgive = [] } = {}) {
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
    const own = url.startsWith("file:") || url.startsWith("data:") || url.startsWith("blob:") ||
                new URL(url).hostname === "127.0.0.1";
    if (!own) note(`request to another host: ${url}`);
  });
  page.faults = faults;
  return page;
}

// All charts drawn, wherever they stand: as before printing.
export async function drawAll(page) {
  await page.waitForSelector("main[data-ready=true]");
  await page.waitForFunction(() => !document.querySelector("main .loading[aria-busy=true]"));
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await page.waitForFunction(() =>
    [...document.querySelectorAll("main figure.chart")].every((each) => each.querySelector(".canvas[data-drawn]")));
}

// As in a window that keeps nothing: `storage` is "localStorage" or "sessionStorage". Holds for what is opened afterwards.
export function refuse(page, storage) {
  return page.addInitScript((name) => {
    Object.defineProperty(window, name, { get() { throw new DOMException("refused", "SecurityError"); } });
  }, storage);
}

export function overflow(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}
