// A server with a token: the page asks for it, stores it for the tab, and never writes it to an address.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openBrowser, refuse } from "./support/browser.mjs";
import { serve, temporaryFolder } from "./support/ergon.mjs";

const token = "known-to-this-test-only";
const folder = temporaryFolder();
let browser, server;
before(async () => {
  server = await serve(join(folder.path, "results"), { token });
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await server?.stop();
  folder.remove();
});

// The browser logs every 401 to its console.
const forgive = [/status of 401/];
const open = (route) => browser.open(server, route, { forgive });
const question = (page) => page.getByRole("dialog", { name: "Token" });
const form = (page) => page.getByRole("form", { name: "Hold a power cap" });

async function answer(page, word) {
  await question(page).locator("input[type=password]").fill(word);
  await question(page).getByRole("button", { name: "Use" }).click();
}

// Resolves when the server has rejected a request with the token `word`.
const refused = (page, word) => page.waitForResponse(async (response) =>
  response.status() === 401 && (await response.request().headerValue("authorization")) === `Bearer ${word}`);

test("the right token starts a job and is in no address", async () => {
  const page = await open("cap");
  const addresses = [];
  page.on("request", (request) => addresses.push(request.url()));
  await question(page).waitFor();
  assert.equal(await form(page).count(), 0, "no form before the token");
  await answer(page, token);
  await form(page).locator("[name=duration]").fill("2");
  await form(page).getByRole("button", { name: "Start" }).click();
  // The event stream also sends the token.
  await page.waitForSelector(".job[data-state=done]", { timeout: 60000 });
  const { jobs } = await server.get("/api/v1/jobs");
  assert.deepEqual(jobs.map(({ command, state }) => [command, state]), [["cap", "done"]]);
  addresses.push(page.url());
  assert.ok(addresses.some((each) => each.includes("/events")), addresses.join("\n"));
  assert.deepEqual(addresses.filter((each) => each.includes(token)), []);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("a token is stored for one tab only", async () => {
  const page = await open("cap");
  await question(page).waitFor();
  await page.keyboard.type(token);
  await page.keyboard.press("Enter");
  await form(page).waitFor();
  await page.reload();
  await form(page).waitFor();
  assert.equal(await question(page).count(), 0);
  assert.ok(!(await page.evaluate(() => JSON.stringify(localStorage))).includes(token));
  const other = await open("cap");
  await question(other).waitFor();
  assert.deepEqual([...page.faults, ...other.faults], []);
  await other.close();
  await page.close();
});

test("a wrong token is asked for again", async () => {
  const page = await open("cap");
  await question(page).waitFor();
  await Promise.all([refused(page, "not-the-right-token"), answer(page, "not-the-right-token")]);
  await question(page).waitFor();
  assert.equal(await question(page).count(), 1);
  assert.equal(await question(page).locator("input").inputValue(), "");
  await answer(page, token);
  await form(page).waitFor();
  assert.equal(await question(page).count(), 0);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("a wrong token shows a message", async (t) => {
  const page = await open("cap");
  t.after(() => page.close());
  await question(page).waitFor();
  const first = await question(page).innerText();
  assert.doesNotMatch(first, /wrong|refused|not accepted/i);
  await Promise.all([refused(page, "not-the-right-token"), answer(page, "not-the-right-token")]);
  await question(page).waitFor();
  assert.match(await question(page).innerText(), /wrong|refused|not accepted/i);
});

test("declining shows an error", async () => {
  const page = await open("cap");
  await question(page).waitFor();
  await page.keyboard.press("Escape");
  await page.locator("main .problem", { hasText: "token" }).first().waitFor();
  assert.equal(await form(page).count(), 0);
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("declining suppresses further dialogs", async (t) => {
  const page = await open("devices");
  t.after(() => page.close());
  await question(page).waitFor();
  await page.keyboard.press("Escape");
  await page.waitForResponse((response) => response.status() === 401);
  await page.waitForTimeout(300);
  assert.equal(await question(page).count(), 0);
});

test("the token is asked for once without session storage", async (t) => {
  const page = await browser.page({ forgive });
  t.after(() => page.close());
  await refuse(page, "sessionStorage");
  await page.goto(`${server.address}#/cap`);
  await question(page).waitFor();
  await answer(page, token);
  await form(page).waitFor({ timeout: 5000 });
});

test("the dialog works with form-action none", async () => {
  const page = await browser.page({ forgive });
  const response = await page.goto(server.address);
  assert.match(await response.headerValue("content-security-policy"), /form-action 'none'/);
  await question(page).waitFor();
  await answer(page, token);
  await page.waitForSelector("main [data-section=devices] :is(.empty-state, .gauge)");
  const { pathname, search } = new URL(page.url());
  assert.equal(pathname + search, "/");
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("the printed link contains the token, and the page keeps it out of the address", async () => {
  const created = await serve(join(folder.path, "created"), { token: null });
  try {
    const page = await browser.page({ forgive });
    const addresses = [];
    page.on("request", (request) => addresses.push(request.url()));
    const secret = new URL(created.link).hash.replace("#token=", "");
    assert.match(secret, /^[0-9a-f]{48}$/);
    await page.goto(created.link);
    await page.waitForSelector("main [data-section=devices] :is(.empty-state, .gauge)");
    assert.equal(await question(page).count(), 0);
    assert.ok(!page.url().includes(secret), page.url());
    await page.reload();
    await page.waitForSelector("main [data-section=devices] :is(.empty-state, .gauge)");
    assert.equal(await question(page).count(), 0, "kept for the session");
    assert.deepEqual(addresses.filter((each) => each.includes(secret)), []);
    assert.equal((await fetch(new URL("/api/v1/zoo", created.address))).status, 401);
    assert.deepEqual(page.faults, []);
    await page.close();
  } finally {
    await created.stop();
  }
});
