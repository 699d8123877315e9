// The peer: DuckDB's CSV reader and as-of join on the same files, one job per process like bench_csv.
//   node bench.mjs read FILE THREADS | join EVENTS TELEMETRY THREADS
import { readFileSync, statSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';

const [job, ...words] = process.argv.slice(2);
const threads = words.pop();
const instance = await DuckDBInstance.create(':memory:', { threads });
const db = await instance.connect();

async function median_seconds(sql, before) {
  const seconds = [];
  for (let i = 0; i < 5; i++) {
    await db.run(before);
    const start = process.hrtime.bigint();
    await db.run(sql);
    seconds.push(Number(process.hrtime.bigint() - start) / 1e9);
  }
  return seconds.sort((a, b) => a - b)[2];
}

const csv = (file) => `read_csv('${file}', header = true)`;
const peak = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024;

if (job === 'read') {
  const [file] = words;
  const seconds = await median_seconds(`CREATE TABLE t AS SELECT * FROM ${csv(file)}`, 'DROP TABLE IF EXISTS t');
  const rows = Number((await db.runAndReadAll('SELECT count(*) FROM t')).getRows()[0][0]);
  console.log(JSON.stringify({ seconds, bytes: statSync(file).size, rows, peak_bytes: peak() }));
} else if (job === 'join') {
  const [events, telemetry] = words;
  await db.run(`CREATE TABLE e AS SELECT * FROM ${csv(events)}`);
  await db.run(`CREATE TABLE t AS SELECT * FROM ${csv(telemetry)}`);
  const seconds = await median_seconds(
    `CREATE TABLE j AS SELECT e.time, t.powerDrawWatt FROM e ASOF LEFT JOIN t ON e.host = t.hostname AND e.time >= t.timestamp`,
    'DROP TABLE IF EXISTS j');
  const row = (await db.runAndReadAll('SELECT count(*), count(*) - count(powerDrawWatt) FROM j')).getRows()[0];
  console.log(JSON.stringify({ seconds, rows: Number(row[0]), unmatched: Number(row[1]) }));
} else {
  process.exit(2);
}
