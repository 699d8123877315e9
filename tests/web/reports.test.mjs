// Reports: commands write a standalone file with --html.

import assert from "node:assert/strict";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openBrowser, overflow } from "./support/browser.mjs";
import { wholeCharts } from "./support/charts.mjs";
import { ergon, temporaryFolder } from "./support/ergon.mjs";

const folder = temporaryFolder();
let browser;
before(async () => { browser = await openBrowser(); });
after(async () => {
  await browser?.close();
  folder.remove();
});

const at = (name) => join(folder.path, name);

// Page, preparing commands, command of the report, and min number of charts.
const reports = [
  { name: "zoo", page: "networks", words: ["zoo"], charts: 1 },
  { name: "inspect", page: "networks", words: ["inspect", "resnet50", "--batch", "32"], charts: 3 },
  { name: "roofline", page: "networks",
    words: ["roofline", "scalesim/MobileNet", "--tops", "2,4,8", "--bandwidths", "10,20,40"], charts: 2 },
  { name: "simulate", page: "networks", words: ["simulate", "scalesim/MobileNet", "--memory", "ddr5-4800"], charts: 1 },
  { name: "simulate-sweep", page: "networks", words: ["simulate", "sweep", "scalesim/MobileNet"], charts: 2 },
  { name: "estimate", page: "networks", words: ["estimate", "resnet50", "--device", "v100", "--batch", "32"], charts: 1 },
  { name: "sweep", page: "sweep", charts: 60,
    first: [["sweep", "--device", "v100s", "--networks", "table1", "--clocks", "20", "--repeat", "3", "--out", at("sweep"), "-q"]],
    words: ["sweep", "evaluate", at("sweep")] },
  { name: "v100s", page: "sweep", words: ["reproduce", "v100s", "-q"], charts: 90, claims: true },
  { name: "predict", page: "predict", words: ["predict", "resnet50", "--device", "h200", "--batch", "32"], charts: 4 },
  { name: "tune", page: "predict", words: ["tune", "resnet50", "--device", "h200,a30,v100"], charts: 2 },
  { name: "fit", page: "predict", charts: 2,
    first: [["profile", "--device", "a30", "--networks", "resnet18,resnet34,alexnet", "--batch", "1,32", "--out", at("profile")]],
    words: ["fit", "--data", at("profile"), "--few", "--out", at("model.json")] },
  { name: "thesis", page: "predict", words: ["reproduce", "thesis", "-q"], charts: 8, claims: true },
  { name: "allocate", page: "allocate", words: ["allocate", "scalesim/MobileNet"], charts: 2 },
  { name: "compare", page: "allocate", words: ["allocate", "compare", "scalesim/MobileNet", "--slack", "2%"], charts: 1 },
  { name: "follow", page: "allocate", words: ["allocate", "follow", "scalesim/MobileNet"], charts: 2 },
  { name: "allocate-gpu", page: "allocate", words: ["allocate", "resnet50", "--device", "a30"], charts: 1 },
  { name: "arada", page: "allocate", words: ["reproduce", "arada"], charts: 2, claims: true },
  { name: "cap", page: "cap", words: ["cap", "resnet50", "--device", "v100", "--cap", "180W"], charts: 3 },
  { name: "batchsizer", page: "cap", words: ["reproduce", "batchsizer"], charts: 2, claims: true },
  { name: "fleet", page: "fleet", charts: 5,
    first: [["fleet", "generate", "--hosts", "32", "--hours", "0.5", "--out", at("fleet"), "-q"]],
    words: ["fleet", "analyze", "--checkpoints", at("fleet/application-checkpoints.csv"), "--gpu", at("fleet/gpu.csv"),
            "--tasks", at("fleet/task-x-y.csv"), "--price-kwh", "0.3"] },
  { name: "devices", page: "devices", words: ["devices"], charts: 1 },
];

function make(report) {
  for (const words of report.first ?? []) ergon(...words);
  const file = at(`${report.name}.html`);
  try {
    ergon(...report.words, "--html", file);
  } catch (error) {
    if (!report.claims || error.status !== 3) throw error;  // claims that do not hold
  }
  return file;
}

for (const report of reports) {
  test(`${report.name} is drawn`, async () => {
    const file = make(report);
    const bytes = statSync(file).size;
    assert.ok(bytes < 2_000_000, `${bytes} bytes`);
    for (const width of [1280, 360]) {
      const page = await browser.openReport(file, { width });
      const drawn = await wholeCharts(page);
      assert.ok(drawn.length >= report.charts, `${drawn.length} charts`);
      assert.equal(await page.getAttribute("main", "data-page"), report.page);
      assert.ok((await overflow(page)) <= 0, `wider than the window at ${width} px`);
      assert.deepEqual(page.faults, []);
      await page.close();
    }
  });
}

test("several documents are one report", async () => {
  const files = [["zoo"], ["inspect", "resnet18"], ["predict", "resnet18", "--device", "a30"]].map((words, i) => {
    const file = at(`${i}.json`);
    writeFileSync(file, ergon(...words, "--json"));
    return file;
  });
  ergon("report", ...files, "--out", at("all.html"));
  const page = await browser.openReport(at("all.html"));
  const links = await page.$$eval("nav a", (all) => all.map((each) => each.textContent.trim()));
  assert.ok(links.includes("Networks") && links.includes("Predict"), links.join());
  assert.deepEqual(page.faults, []);
  await page.close();
});
