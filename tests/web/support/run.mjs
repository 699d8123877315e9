// Runs one test file. Exit code 77 (skipped) without Chromium.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

if (!existsSync(process.env.ERGON_CHROMIUM ?? "/usr/bin/chromium")) {
  console.log("skipped: Chromium is not installed");
  process.exit(77);
}
const { status } = spawnSync(process.execPath, ["--test", ...process.argv.slice(2)], { stdio: "inherit" });
process.exit(status ?? 1);
