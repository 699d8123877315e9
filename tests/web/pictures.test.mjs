// Pictures of the README, from real runs. ERGON_UPDATE_GOLDEN=1 writes them to docs/pictures.

import assert from "node:assert/strict";
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { openBrowser } from "./support/browser.mjs";
import { ergon, temporaryFolder } from "./support/ergon.mjs";

const folder = temporaryFolder();
const folderOfPictures = process.env.ERGON_UPDATE_GOLDEN ? fileURLToPath(new URL("../../docs/pictures", import.meta.url)) : folder.path;
const at = (name) => join(folder.path, name);
let browser;
before(async () => {
  mkdirSync(folderOfPictures, { recursive: true });
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  folder.remove();
});

const pictures = {
  sweep: () => {
    ergon("sweep", "--device", "v100s", "--networks", "table1", "--clocks", "20", "--repeat", "3", "--out", at("sweep"), "-q");
    return { words: ["sweep", "evaluate", at("sweep")], chart: "sweep-power" };
  },
  predict: () => ({ words: ["predict", "resnet50", "--device", "h200", "--batch", "32"], chart: "predict-energy" }),
  cap: () => {
    writeFileSync(at("caps.csv"), "time_seconds,watts\n0,250\n20,150\n40,200\n");
    return { words: ["cap", "resnet50", "--device", "v100", "--schedule", at("caps.csv")], chart: "cap-power" };
  },
  fleet: () => {
    ergon("fleet", "generate", "--hosts", "96", "--hours", "1", "--out", at("fleet"), "-q");
    const file = (name) => at(`fleet/${name}.csv`);
    return { words: ["fleet", "analyze", "--checkpoints", file("application-checkpoints"), "--gpu", file("gpu"), "--tasks",
                     file("task-x-y"), "--price-kwh", "0.3"], chart: "fleet-heat-power" };
  },
};

for (const [name, prepare] of Object.entries(pictures)) {
  test(`${name} has a picture`, async () => {
    const { words, chart } = prepare();
    ergon(...words, "--html", at(`${name}.html`));
    const page = await browser.openReport(at(`${name}.html`), { width: 1100, height: 760 });
    // Scrolls to slightly above the chart.
    await page.evaluate((id) => {
      const figure = document.querySelector(`[data-chart^="${id}"], [data-multiples^="${id}"]`);
      window.scrollBy(0, (figure?.getBoundingClientRect().top ?? 0) - 40);
    }, chart);
    await page.waitForTimeout(300);
    const file = join(folderOfPictures, `${name}.png`);
    await page.screenshot({ path: file });
    const bytes = statSync(file).size;
    assert.ok(bytes > 10_000 && bytes < 150_000, `${bytes} bytes`);
    assert.deepEqual(page.faults, []);
    await page.close();
  });
}
