// The fleet benchmark's job in Polars: power, temperature, utilization and duration of every event name.
//   node polars.mjs CHECKPOINTS GPU [TASKS]          prints one line of JSON
import pl from 'nodejs-polars';

const [checkpoints, gpu] = process.argv.slice(2);
if (!gpu) {
  console.error('usage: polars.mjs CHECKPOINTS GPU [TASKS]');
  process.exit(2);
}

const means = ['powerDrawWatt', 'gpuTempC', 'gpuUtilPerc'];
// Milliseconds since 1970. %F and %T parse faster than the equivalent long format.
const ms = pl.col('timestamp').str.strptime(pl.Datetime('ms'), '%FT%T%.3fZ').cast(pl.Int64).alias('ms');

const started = performance.now();

// Categories turn sorting, joining and grouping into integer operations. Grouping keeps the order of rows within a group.
const events = pl.readCSV(checkpoints, { schema: {
  timestamp: pl.String, hostname: pl.Categorical, eventName: pl.Categorical, eventType: pl.Categorical,
  jobId: pl.Categorical, taskId: pl.Categorical,
} }).withColumn(ms).drop('timestamp').sort('ms');
const samples = pl.readCSV(gpu, { columns: ['timestamp', 'hostname', ...means], schema: {
  timestamp: pl.String, hostname: pl.Categorical, gpuSerial: pl.String, gpuUUID: pl.String, powerDrawWatt: pl.Float64,
  gpuTempC: pl.Int16, gpuUtilPerc: pl.Int16, gpuMemUtilPerc: pl.Int16,
} }).withColumn(ms).drop('timestamp').sort('ms');

// Polars gives ties to the later sample; the rule is the earlier. So time is counted in quarters of a millisecond, and
// events are taken one quarter early: that decides ties, and no other choice changes.
const readings = events.select('hostname', 'eventName', pl.col('ms').mul(4).sub(1))
  .joinAsof(samples.withColumn(pl.col('ms').mul(4)),
    { on: 'ms', by: 'hostname', strategy: 'nearest', checkSortedness: false })  // both were sorted above
  .groupBy('eventName').agg(...means.map((name) => pl.col(name).mean()));

// The k-th START of an event goes with its k-th STOP; rows without a partner are skipped.
const times = (type) => pl.col('ms').filter(pl.col('eventType').eq(pl.lit(type)));
const occurrences = events.groupBy(['hostname', 'jobId', 'taskId', 'eventName'])
  .agg(times('START').alias('start'), times('STOP').alias('stop')).drop('hostname', 'jobId', 'taskId');
const starts = pl.col('start').lst.lengths();
const stops = pl.col('stop').lst.lengths();
const pairs = pl.minHorizontal([starts, stops]);
const durations = pl.concat([
  occurrences.filter(starts.eq(stops)),
  occurrences.filter(starts.neq(stops).and(pairs.gt(0)))
    .withColumns(pl.col('start').lst.head(pairs), pl.col('stop').lst.head(pairs)),
]).explode('start', 'stop').groupBy('eventName')
  .agg(pl.len().alias('n'), pl.col('stop').sub(pl.col('start')).mean().alias('duration_ms'));

const rows = durations.join(readings, { on: 'eventName' }).toRecords();
const answers = rows.map((row) => ({
  name: row.eventName, n: row.n, duration_ms: row.duration_ms, power_watts: row.powerDrawWatt,
  temperature_celsius: row.gpuTempC, utilization: row.gpuUtilPerc,
})).sort((a, b) => (a.name < b.name ? -1 : 1));
const seconds = (performance.now() - started) / 1000;

console.log(JSON.stringify({ tool: `nodejs-polars ${pl.version}`, seconds, events: answers }));
