// Runs one file of tests; ends with 77, which means skipped, where there is no Chromium.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

if (!existsSync(process.env.ERGON_CHROMIUM ?? "/usr/bin/chromium")) {
  console.log("skipped: there is no Chromium");
  process.exit(77);
}
const { status } = spawnSync(process.execPath, ["--test", ...process.argv.slice(2)], { stdio: "inherit" });
process.exit(status ?? 1);
