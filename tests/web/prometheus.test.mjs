// Debian's Prometheus scrapes a running server and stores the power of the twin; ergon fleet reads it back.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { ergon, serve, temporaryFolder } from "./support/ergon.mjs";

const missing = ["/usr/bin/prometheus", "/usr/bin/promtool"].filter((each) => !existsSync(each));

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function value(address, query) {
  const answer = await fetch(`${address}/api/v1/query?query=${encodeURIComponent(query)}`).catch(() => null);
  if (!answer?.ok) return null;
  const { data } = await answer.json();
  return data.result.length > 0 ? Number(data.result[0].value[1]) : null;
}

async function until(find, seconds) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end;) {
    const found = await find();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`not within ${seconds} s`);
}

test("Prometheus stores the power of the twin", { skip: missing.length > 0 && `no ${missing.join(", ")}` }, async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const server = await serve(join(folder.path, "results"), { twins: ["v100:resnet50:32"] });
  t.after(() => server.stop());

  const page = await (await fetch(new URL("/metrics", server.address))).text();
  execFileSync("promtool", ["check", "metrics"], { input: page, stdio: ["pipe", "pipe", "pipe"] });

  const port = await freePort();
  const config = join(folder.path, "prometheus.yml");
  writeFileSync(config, `global: {scrape_interval: 1s}
scrape_configs:
  - job_name: ergon
    static_configs: [{targets: ["127.0.0.1:${server.port}"]}]
`);
  const prometheus = spawn("prometheus", [`--config.file=${config}`, `--storage.tsdb.path=${join(folder.path, "data")}`,
                                          `--web.listen-address=127.0.0.1:${port}`, "--log.level=error"],
                           { stdio: "ignore" });
  const ended = new Promise((resolve) => prometheus.once("exit", resolve));
  t.after(async () => {
    prometheus.kill("SIGTERM");
    await ended;
  });

  const address = `http://127.0.0.1:${port}`;
  // The chip starts cold; warming up for a minute changes power by a few percent.
  const estimate = JSON.parse(ergon("estimate", "resnet50", "--device", "v100", "--batch", "32", "--json"));
  const watts = await until(() => value(address, 'ergon_gpu_power_watts{uuid=~"TWIN-v100.*"}'), 60);
  const share = watts / estimate.power_watts;
  console.log(`prometheus has ${watts.toFixed(1)} W, the twin's steady power is ${estimate.power_watts.toFixed(1)} W`);
  assert.ok(share > 0.9 && share < 1.05, `${share} of the twin's power`);
  // On a busy machine the server may be late: two scrapes then show the same counter, or two seconds of it.
  await until(async () => {
    const growth = await value(address, "irate(ergon_gpu_energy_joules_total[10s])");
    return growth !== null && Math.abs(growth / watts - 1) < 0.1 ? growth : null;
  }, 60);
  assert.equal(await until(() => value(address, 'up{job="ergon"}'), 10), 1);

  // Every metric that the twin has arrives, with the mark of a simulated GPU.
  const query = ["--prometheus", address, "--from", "now-20s", "--to", "now", "--step", "1s"];
  const fleet = await until(() => {
    try {
      const read = JSON.parse(ergon("fleet", "analyze", ...query, "--by", "gpu", "--json"));
      return read.counts.gpu_rows >= 3 ? read : null;
    } catch {
      return null;  // no scrape is in the range yet
    }
  }, 60);
  assert.equal(fleet.provenance.simulated, true);
  const [gpu] = fleet.gpus.list;
  assert.ok(Math.abs(gpu.power_watts / watts - 1) < 0.1, `${gpu.power_watts} W of ${watts} W`);
  assert.ok(gpu.temperature_celsius > 20 && gpu.temperature_celsius < 100, `${gpu.temperature_celsius} C`);
  assert.ok(gpu.utilization > 50 && gpu.utilization <= 100, `${gpu.utilization} % utilization`);
  assert.ok(gpu.memory > 1 && gpu.memory <= 100, `${gpu.memory} % memory utilization`);
  assert.match(ergon("fleet", "analyze", ...query), /^simulated: /);
});
