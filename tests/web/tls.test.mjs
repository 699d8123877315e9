// The pages over https.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openBrowser } from "./support/browser.mjs";
import { serve, temporaryFolder } from "./support/ergon.mjs";

const folder = temporaryFolder();
const file = (name) => join(folder.path, name);
let browser, server;
before(async () => {
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                           "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", file("key.pem"),
                           "-out", file("certificate.pem")], { stdio: "ignore" });
  server = await serve(file("results"), {
    token: null,
    options: ["--tls-certificate", file("certificate.pem"), "--tls-key", file("key.pem")],
  });
  browser = await openBrowser({ ignoreHTTPSErrors: true });
});
after(async () => {
  await browser?.close();
  await server?.stop();
  folder.remove();
});

const curl = (...words) => execFileSync("curl", ["--silent", "--cacert", file("certificate.pem"), ...words], { encoding: "utf8" });

test("a page reads the API over https and follows a job", async () => {
  assert.match(server.link, /^https:\/\/127\.0\.0\.1:\d+\/#token=/);
  const page = await browser.page();
  await page.goto(server.link);
  await page.waitForSelector("main [data-section=devices] :is(.empty-state, .gauge)");
  await page.goto(`${server.address}#/cap`);
  const form = page.getByRole("form", { name: "Hold a power cap" });
  await form.locator("[name=duration]").fill("2");
  await form.getByRole("button", { name: "Start" }).click();
  await page.waitForSelector(".job[data-state=done]", { timeout: 60000 });
  assert.deepEqual(page.faults, []);
  await page.close();
});

test("curl verifies the certificate", () => {
  const metrics = curl("--header", `Authorization: ${server.headers.authorization}`, `${server.address}metrics`);
  assert.match(metrics, /^ergon_/m);
  assert.equal(curl("--output", "/dev/null", "--write-out", "%{http_code}", `${server.address}metrics`), "401");
  assert.throws(() => execFileSync("curl", ["--silent", `${server.address}metrics`]), "an unknown certificate");
});
