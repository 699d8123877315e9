// Writes policy.txt next to the built pages: the hash of app.js for the content security policy of report files
// ("sha256-...").

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
if (!folder) throw new Error("usage: node policy.mjs FOLDER");
const script = readFileSync(join(folder, "app.js"), "utf8");
// These would end an inline script.
for (const mark of ["</script", "<!--"]) {
  if (script.toLowerCase().includes(mark)) throw new Error(`app.js contains ${mark}`);
}
writeFileSync(join(folder, "policy.txt"), `sha256-${createHash("sha256").update(script, "utf8").digest("base64")}`);
