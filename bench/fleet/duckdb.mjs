// The fleet benchmark's job in DuckDB: power, temperature, utilization and duration of every event name.
//   node duckdb.mjs CHECKPOINTS GPU [TASKS]          prints one line of JSON
//
// DuckDB has no nearest as-of join. Two joins, backward and forward, would do; one is faster: sample i is the nearest
// one from the first millisecond past the midpoint between samples i - 1 and i (the midpoint itself belongs to the
// earlier, which is the rule for ties), so a backward join with these beginnings finds the nearest sample.
import { DuckDBInstance, version } from '@duckdb/node-api';

const [checkpoints, gpu] = process.argv.slice(2);
if (!gpu) {
  console.error('usage: duckdb.mjs CHECKPOINTS GPU [TASKS]');
  process.exit(2);
}

// All column types are given, so that no file is sniffed.
function csv(path, columns) {
  const types = Object.entries(columns).map(([name, type]) => `'${name}': '${type}'`);
  return `read_csv('${path.replaceAll("'", "''")}', auto_detect = false, header = true, delim = ',', quote = '"',
    columns = {${types.join(', ')}})`;
}

const started = performance.now();
// All cores are the default. The answers do not depend on the order of rows, and reading is faster without it.
const instance = await DuckDBInstance.create(':memory:', { preserve_insertion_order: 'false' });
const db = await instance.connect();

// Tables, not views: without their sizes the planner chooses a nested loop for the as-of join.
await db.run(`CREATE TABLE checkpoint AS
  SELECT epoch_ms(timestamp) AS ms, * EXCLUDE (timestamp) FROM ${csv(checkpoints, {
    timestamp: 'TIMESTAMP', hostname: 'VARCHAR', eventName: 'VARCHAR', eventType: 'VARCHAR', jobId: 'VARCHAR',
    taskId: 'UUID' })}`);
await db.run(`CREATE TABLE sample AS
  SELECT epoch_ms(timestamp) AS ms, hostname, powerDrawWatt, gpuTempC, gpuUtilPerc FROM ${csv(gpu, {
    timestamp: 'TIMESTAMP', hostname: 'VARCHAR', gpuSerial: 'VARCHAR', gpuUUID: 'VARCHAR', powerDrawWatt: 'DOUBLE',
    gpuTempC: 'SMALLINT', gpuUtilPerc: 'SMALLINT', gpuMemUtilPerc: 'SMALLINT' })}`);

// Sorting and joining by a small number is twice as fast as by a long name.
await db.run(`CREATE TABLE host AS
  SELECT hostname, row_number() OVER ()::INTEGER AS id FROM (SELECT DISTINCT hostname FROM sample)`);

const readings = await db.runAndReadAll(`
  WITH numbered AS (
    SELECT id, ms, powerDrawWatt, gpuTempC, gpuUtilPerc FROM sample JOIN host USING (hostname)
  ), nearest AS (
    SELECT *, coalesce((lag(ms) OVER (PARTITION BY id ORDER BY ms) + ms) // 2 + 1, 0) AS begins FROM numbered
  ), event AS (
    SELECT id, ms, eventName FROM checkpoint JOIN host USING (hostname)
  )
  SELECT eventName, avg(powerDrawWatt), avg(gpuTempC), avg(gpuUtilPerc)
  FROM event ASOF JOIN nearest ON event.id = nearest.id AND event.ms >= nearest.begins
  GROUP BY eventName`);

// The k-th START of an event goes with its k-th STOP: their lists are unnested side by side. Rows without a partner give
// NULL, which is not counted.
const durations = await db.runAndReadAll(`
  WITH occurrence AS (
    SELECT eventName, list(ms ORDER BY ms) FILTER (eventType = 'START') AS starts,
      list(ms ORDER BY ms) FILTER (eventType = 'STOP') AS stops
    FROM checkpoint GROUP BY hostname, jobId, taskId, eventName
  ), pair AS (
    SELECT eventName, unnest(stops) - unnest(starts) AS duration FROM occurrence
  )
  SELECT eventName, count(duration), avg(duration) FROM pair GROUP BY eventName ORDER BY eventName`);

const means = new Map(readings.getRows().map(([name, ...values]) => [name, values]));
const events = durations.getRows().map(([name, n, duration_ms]) => {
  const [power_watts, temperature_celsius, utilization] = means.get(name) ?? [];
  return { name, n: Number(n), duration_ms, power_watts, temperature_celsius, utilization };
});
const seconds = (performance.now() - started) / 1000;

console.log(JSON.stringify({ tool: `DuckDB ${version().replace(/^v/, '')}`, seconds, events }));
