#include "fleet/ingest.h"

#include <gtest/gtest.h>

#include "fleet/fleet_files.h"
#include "fleet/summary/fleet_summary.h"

namespace ergon::fleet {
namespace {

using test::FleetFiles;

Result<IngestResult> read_text(LogKind kind, const std::string& text, const ColumnMapping& mapping = {},
                               const std::string& name = "log.csv", std::int64_t zone_ns = 0) {
  const ergon::test::TemporaryFolder folder;
  std::ofstream(folder / name) << text;
  FleetInputs inputs;
  inputs.logs.push_back({folder / name, kind, mapping, {}});
  inputs.zone_ns = zone_ns;
  return read_fleet(inputs, {}, {});
}

const EventTotals& only_totals(const Tally& tally) {
  return tally.hosts.begin()->second.event_totals.begin()->second;
}
const GpuSums& only_gpu(const Tally& tally) { return tally.hosts.begin()->second.gpus.front().sums; }

TEST(Ingest, JoinsAnEventWithItsSamples) {
  FleetFiles files;
  files.steady(0, 20'000, 2'000, "h", 100, 0);
  files.event(5'000, 9'000, "h", "Work");
  const Tally tally = files.tally();
  EXPECT_EQ(only_totals(tally).events, 1U);
  EXPECT_DOUBLE_EQ(only_totals(tally).energy.si(), 400);
  EXPECT_DOUBLE_EQ(only_gpu(tally).total.energy.si(), 2000);
  EXPECT_DOUBLE_EQ(only_gpu(tally).idle().energy.si(), 1600);
  EXPECT_DOUBLE_EQ(only_gpu(tally).idle_before.energy.si(), 500);
  EXPECT_DOUBLE_EQ(only_gpu(tally).idle_after.energy.si(), 1100);
}

TEST(Ingest, OrderedLogsAreStreamedAndOthersAreNot) {
  FleetFiles files;
  for (int i = 0; i < 600; ++i) files.event(i * 10'000, i * 10'000 + 5'000, "h", "Work", std::to_string(i));
  files.steady(0, 6'000'000, 2'000, "h", 100);
  const IngestResult ordered = files.read();
  EXPECT_TRUE(ordered.streamed);
  std::reverse(files.samples.begin(), files.samples.end());
  const IngestResult reversed = files.read();
  EXPECT_FALSE(reversed.streamed);
  EXPECT_EQ(ordered.tally, reversed.tally);
}

// Ordered at every position that seems_ordered() checks, but not elsewhere.
TEST(Ingest, AnUnorderedLogIsReadAgain) {
  FleetFiles files;
  for (int i = 0; i < 200'000; ++i) files.sample(i * 2'000, "h", "100,50,50,30");
  const Tally in_order = files.tally();
  std::rotate(files.samples.end() - 40, files.samples.end() - 20, files.samples.end());
  std::rotate(files.samples.begin() + 100, files.samples.begin() + 150, files.samples.begin() + 190'000);
  const IngestResult reading = files.read();
  EXPECT_EQ(reading.tally, in_order);
}

TEST(Ingest, AMissingColumnNamesTheColumnsOfTheFile) {
  const auto reading = read_text(LogKind::checkpoints, "when,where,what\n1,2,3\n");
  ASSERT_FALSE(reading);
  EXPECT_EQ(reading.error().kind, Errc::not_found);
  EXPECT_NE(reading.error().message.find("no column for time"), std::string::npos) << reading.error().message;
  EXPECT_NE(reading.error().message.find("when, where, what"), std::string::npos) << reading.error().message;
}

TEST(Ingest, AMappingNamesColumns) {
  const auto mapping = parse_mapping("time=when,host=where,event=what,type=edge");
  ASSERT_TRUE(mapping);
  const auto reading =
      read_text(LogKind::checkpoints,
                "when,where,what,edge\n1541660400,h,Work,begin\n1541660405.5,h,Work,end\n", *mapping);
  ASSERT_TRUE(reading) << reading.error().message;
  EXPECT_EQ(only_totals(reading->tally).duration_ns, 5'500'000'000);
}

TEST(Ingest, TheHostOfANvidiaSmiLogIsItsFileName) {
  const auto reading = read_text(LogKind::samples,
                                 "timestamp, uuid, power.draw [W], temperature.gpu, utilization.gpu [%]\r\n"
                                 "2018/11/08 07:00:00.000, GPU-a, 75.50 W, 40, 10 %\r\n"
                                 "2018/11/08 07:00:02.000, GPU-a, 84.50 W, 41, [N/A]\r\n"
                                 "2018/11/08 07:00:04.000, GPU-a, [Not Supported], 42, 30 %\r\n"
                                 "2018/11/08 07:00:06.000, GPU-a, 80.00 W, 42, 30 %\r\n",
                                 {}, "node17.csv", 3'600'000'000'000);
  ASSERT_TRUE(reading) << reading.error().message;
  EXPECT_EQ(reading->tally.hosts.begin()->first, "node17");
  EXPECT_EQ(reading->tally.samples.not_available, (PerMetric<std::uint64_t>{1, 0, 1, 0}));
  EXPECT_EQ(reading->tally.samples.without_zone, 4U);
  const GpuSums& gpu = only_gpu(reading->tally);
  EXPECT_EQ(gpu.first, parse_timestamp("2018-11-08T06:00:00Z"));
  EXPECT_EQ(gpu.count[0], 3U);
  // The third is interpolated between its neighbors.
  EXPECT_DOUBLE_EQ(gpu.total.energy.si(), 160 + 2 * (84.5 + 82.25) / 2 + 2 * (82.25 + 80) / 2);
}

// A file to which two versions of Ergon wrote: rows without the mark are below a header with it.
TEST(Ingest, RowsWithoutTheMarkBelowAHeaderWithItAreRead) {
  const auto events = read_text(LogKind::checkpoints,
                                "timestamp,hostname,eventName,eventType,jobId,taskId,simulated\n"
                                "2018-11-08T07:00:00Z,h,Work,START,j,1\n"
                                "2018-11-08T07:00:05Z,h,Work,STOP,j,1\n"
                                "2018-11-08T07:00:10Z,h,Work,START,j,2,true\n"
                                "2018-11-08T07:00:16Z,h,Work,STOP,j,2,true\n"
                                "2018-11-08T07:00:20Z,h,Work,START,j,12");
  ASSERT_TRUE(events) << events.error().message;
  EXPECT_EQ(only_totals(events->tally).events, 2U);
  EXPECT_EQ(events->tally.checkpoints.malformed, 0U);
  EXPECT_EQ(events->tally.checkpoints.simulated, 2U);
  EXPECT_EQ(events->tally.checkpoints.cut_off, 1U) << "the last row may have lost more than the mark";
  const auto samples = read_text(LogKind::samples,
                                 "timestamp,hostname,gpuUUID,powerDrawWatt,gpuUtilPerc,simulated\n"
                                 "2018-11-08T07:00:00Z,h,GPU-a,100,50\n"
                                 "2018-11-08T07:00:02Z,h,GPU-a,100,50\n"
                                 "2018-11-08T07:00:04Z,h,GPU-a,100,50,true\n"
                                 "2018-11-08T07:00:06Z,h,GPU-a,100,5");
  ASSERT_TRUE(samples) << samples.error().message;
  EXPECT_EQ(only_gpu(samples->tally).samples, 3U);
  EXPECT_EQ(samples->tally.samples.malformed, 0U);
  EXPECT_EQ(samples->tally.samples.simulated, 1U);
  EXPECT_EQ(samples->tally.samples.cut_off, 1U);
}

TEST(Ingest, ImplausibleValuesAreCountedAndNotAveraged) {
  FleetFiles files;
  files.sample(0, "h", "100,50,50,30");
  files.sample(1'000, "h", "-5,50,50,30");
  files.sample(2'000, "h", "99999,500,101,-1");
  files.sample(3'000, "h", "100,50,50,30");
  const Tally tally = files.tally();
  EXPECT_EQ(tally.samples.out_of_range, (PerMetric<std::uint64_t>{2, 1, 1, 1}));
  EXPECT_DOUBLE_EQ(only_gpu(tally).sum[0], 200);
  EXPECT_DOUBLE_EQ(only_gpu(tally).total.energy.si(), 300);
}

TEST(Ingest, AWarningNamesTheFirstValueOutOfRange) {
  std::string log = "timestamp,hostname,gpuUUID,powerDrawWatt,gpuUtilPerc\n";
  for (int second = 0; second < 20; ++second)
    log += fmt::format("{},h,GPU-a,{},50\n", 1'541'660'400 + second,
                       second == 7   ? "1e306"
                       : second == 9 ? "-5 W"
                                     : "100");
  const auto reading = read_text(LogKind::samples, log);
  ASSERT_TRUE(reading) << reading.error().message;
  ASSERT_EQ(reading->warnings.size(), 1u);
  const std::string& warning = reading->warnings.front();
  EXPECT_TRUE(
      warning.ends_with("log.csv, line 9: power \"1e306\" is not 0 to 2000 W; 2 such values are not used"))
      << warning;
  EXPECT_DOUBLE_EQ(only_gpu(reading->tally).total.energy.si(), 1900);
}

// Milliwatts in a column that is read as watts.
TEST(Ingest, AColumnInAnotherUnitIsRejected) {
  std::string log = "timestamp,hostname,gpuUUID,powerDrawWatt\n";
  for (int second = 0; second < 20; ++second)
    log += fmt::format("{},h,GPU-a,75310\n", 1'541'660'400 + second);
  const auto reading = read_text(LogKind::samples, log);
  ASSERT_FALSE(reading);
  EXPECT_EQ(reading.error().kind, Errc::invalid_input);
  EXPECT_NE(
      reading.error().message.find("log.csv, line 2: power \"75310\" is not 0 to 2000 W; 20 such values"),
      std::string::npos)
      << reading.error().message;
}

TEST(Ingest, GapsAreExcluded) {
  FleetFiles files;
  files.steady(0, 10'000, 2'000, "h", 100);
  files.steady(200'000, 210'000, 2'000, "h", 100);
  files.event(5'000, 205'000, "h", "Work");
  const Tally tally = files.tally();
  EXPECT_EQ(only_gpu(tally).gaps, 1U);
  EXPECT_DOUBLE_EQ(only_gpu(tally).total.energy.si(), 2000);
  EXPECT_DOUBLE_EQ(only_totals(tally).energy.si(), 1000);
  EXPECT_EQ(only_totals(tally).part_covered, 1U);
  EXPECT_EQ(only_totals(tally).mean_events[0], 0U);  // partly covered: no mean
}

TEST(Ingest, InvalidRowsAreCountedByReason) {
  const auto reading = read_text(LogKind::checkpoints,
                                 "timestamp,hostname,eventName,eventType,jobId,taskId\n"
                                 "2018-11-08T07:00:00Z,h,Work,START,j,t\n"
                                 "yesterday,h,Work,STOP,j,t\n"
                                 "2018-11-08T07:00:01Z,h,Work,PAUSE,j,t\n"
                                 "2018-11-08T07:00:01Z,,Work,STOP,j,t\n"
                                 "2018-11-08T07:00:01Z,h\n"
                                 "\"2018-11-08T07:00:01Z,h,Work,STOP,j,t\n"
                                 "\n"
                                 "2018-11-08T07:00:02Z,h,Work,STOP,j,t\n"
                                 "2018-11-08T07:00:0");
  ASSERT_TRUE(reading) << reading.error().message;
  const RowCounts& counts = reading->tally.checkpoints;
  EXPECT_EQ(counts.bad_time, 1U);
  EXPECT_EQ(counts.bad_type, 1U);
  EXPECT_EQ(counts.nameless, 1U);
  EXPECT_EQ(counts.malformed, 2U);
  EXPECT_EQ(counts.cut_off, 1U);
  EXPECT_EQ(counts.rows, 8U);
  EXPECT_EQ(only_totals(reading->tally).events, 1U);
}

TEST(Ingest, TimestampsWithDifferentTimeZonesAreRead) {
  const auto reading = read_text(LogKind::checkpoints,
                                 "timestamp,hostname,eventName,eventType\n"
                                 "2018-11-08T09:00:00+02:00,h,Work,START\n"
                                 "2018-11-08T07:00:05,h,Work,STOP\n");
  ASSERT_TRUE(reading) << reading.error().message;
  EXPECT_EQ(only_totals(reading->tally).duration_ns, 5'000'000'000);
  EXPECT_EQ(reading->tally.checkpoints.without_zone, 1U);
}

TEST(Ingest, LevelsComeFromTheTasksFile) {
  FleetFiles files;
  files.event(0, 1'000, "h", "Work", "a");
  files.event(2'000, 5'000, "h", "Work", "b");
  files.event(6'000, 7'000, "h", "Work", "c");
  const ergon::test::TemporaryFolder folder;
  std::ofstream(folder / "tasks.csv") << "taskId,jobId,x,y,level\n\"a\",\"j\",1,1,4\n\"b\",\"j\",1,1,12\n";
  FleetInputs inputs = files.write(folder.path());
  inputs.tasks = folder / "tasks.csv";
  const auto reading = read_fleet(inputs, {}, {});
  ASSERT_TRUE(reading) << reading.error().message;
  const auto& event_totals = reading->tally.hosts.at("h").event_totals;
  EXPECT_EQ(event_totals.at({"Work", "4"}).events, 1U);
  EXPECT_EQ(event_totals.at({"Work", "12"}).duration_ns, 3'000'000'000);
  EXPECT_EQ(event_totals.at({"Work", ""}).events, 1U);
}

TEST(Ingest, ReportsEveryTaskOnce) {
  FleetFiles files;
  const auto name = [](int i) { return fmt::format("task, with a long name, number {}", i); };
  for (int i = 0; i < 50; ++i) {
    files.event(i * 60'000, i * 60'000 + 50'000, "h", "Whole", name(i));
    files.event(i * 60'000, i * 60'000 + 20'000, "h", "Part", name(i));
  }
  const ergon::test::TemporaryFolder folder;
  std::vector<std::string> reported;
  IngestCallbacks callbacks;
  callbacks.on_task = [&](const TaskRun& run) -> Result<> {
    EXPECT_EQ(run.event, "Whole");
    reported.emplace_back(run.task);
    return {};
  };
  ASSERT_TRUE(read_fleet(files.write(folder.path()), {}, callbacks));
  ASSERT_EQ(reported.size(), 50U);
  for (std::size_t i = 0; i < reported.size(); ++i) EXPECT_EQ(reported[i], name(static_cast<int>(i)));
}

// Two different names with invalid UTF-8 stay different.
TEST(Ingest, NamesWithInvalidUtf8StayDifferent) {
  FleetFiles files;
  files.event(0, 1'000, "a\xff", "Work", "t");
  files.event(0, 1'000, "a\xfe", "Work", "t");
  files.event(0, 1'000, "\u00e4", "Work", "t");
  const Tally tally = files.tally();
  ASSERT_EQ(tally.hosts.size(), 3U);
  EXPECT_TRUE(tally.hosts.contains("a\\xff"));
  EXPECT_TRUE(tally.hosts.contains("a\\xfe"));
  EXPECT_TRUE(tally.hosts.contains("\u00e4"));
}

TEST(Ingest, QuotesInNamesAreRead) {
  const auto reading =
      read_text(LogKind::checkpoints,
                "timestamp,hostname,eventName,eventType,jobId,taskId\n"
                "\"2018-11-08T07:00:00Z\",\"the \"\"host\"\" with a long name\",\"an \"\"event\"\" with a "
                "long name\",START,\"a \"\"job\"\" with a long name\",\"a \"\"task\"\" with a long name\"\n");
  ASSERT_TRUE(reading) << reading.error().message;
  ASSERT_EQ(reading->tally.hosts.size(), 1U);
  EXPECT_EQ(reading->tally.hosts.begin()->first, "the \"host\" with a long name");
  EXPECT_EQ(reading->tally.hosts.begin()->second.unpaired_checkpoints.at(0).event,
            "an \"event\" with a long name");
  EXPECT_TRUE(reading->tally.jobs.contains("a \"job\" with a long name"));
}

TEST(Ingest, CanBeStopped) {
  FleetFiles files;
  files.steady(0, 10'000, 1'000, "h", 100);
  const ergon::test::TemporaryFolder folder;
  std::stop_source stop;
  stop.request_stop();
  IngestCallbacks callbacks;
  callbacks.stop = stop.get_token();
  const auto reading = read_fleet(files.write(folder.path()), {}, callbacks);
  ASSERT_FALSE(reading);
  EXPECT_EQ(reading.error().kind, Errc::cancelled);
}

TEST(Ingest, AGpuThatMovesToAnotherHostCountsTwice) {
  FleetFiles files;
  files.samples.push_back(R"("2018-11-08T07:00:00.000Z","a","1","GPU-x",100,50,50,30)");
  files.samples.push_back(R"("2018-11-08T07:00:02.000Z","a","1","GPU-x",100,50,50,30)");
  files.samples.push_back(R"("2018-11-08T07:00:04.000Z","b","1","GPU-x",100,50,50,30)");
  files.samples.push_back(R"("2018-11-08T07:00:06.000Z","b","1","GPU-x",100,50,50,30)");
  const Tally tally = files.tally();
  EXPECT_DOUBLE_EQ(tally.hosts.at("a").gpus.front().sums.total.energy.si(), 200);
  EXPECT_DOUBLE_EQ(tally.hosts.at("b").gpus.front().sums.total.energy.si(), 200);
}

TEST(Ingest, ASimulatedJobMakesTheFleetSimulated) {
  FleetFiles files;
  files.row(1000, "h", "Work", "START", "t", "1024-lvl12");
  files.row(2000, "h", "Work", "STOP", "t", "1024-lvl12");
  EXPECT_FALSE(files.tally().simulated);
  files.row(3000, "h", "Work", "START", "u", "simulated-lvl12-0");
  files.row(4000, "h", "Work", "STOP", "u", "simulated-lvl12-0");
  EXPECT_TRUE(files.tally().simulated);
  EXPECT_TRUE(is_simulated_job("simulated-lvl12"));
  EXPECT_FALSE(is_simulated_job("not-simulated-"));
}

// Samples have no job: their own column marks them.
TEST(Ingest, ASimulatedColumnMakesTheFleetSimulated) {
  const std::string header = "timestamp,hostname,gpuUUID,powerDrawWatt,simulated\n";
  const auto marked = [&](const std::string& mark) {
    const auto read = read_text(LogKind::samples, header + "2018-11-08T07:00:00Z,h,GPU-a,100," + mark + "\n" +
                                                      "2018-11-08T07:00:02Z,h,GPU-a,100,\n");
    EXPECT_TRUE(read) << read.error().message;
    return read && read->tally.simulated;
  };
  for (const char* yes : {"true", "True", "\"true\"", "1", "yes"}) EXPECT_TRUE(marked(yes)) << yes;
  for (const char* no : {"false", "0", "", "no", "untrue", "10"}) EXPECT_FALSE(marked(no)) << no;
  const auto events = read_text(LogKind::checkpoints,
                                "timestamp,hostname,eventName,eventType,simulated\n"
                                "2018-11-08T07:00:00Z,h,Work,START,true\n");
  ASSERT_TRUE(events) << events.error().message;
  EXPECT_TRUE(events->tally.simulated);
}

// The name is not that of the first column of the header.
TEST(Ingest, ATaskWithoutANameHasNone) {
  const auto reading = read_text(LogKind::checkpoints,
                                 "timestamp,hostname,eventName,eventType\n"
                                 "2018-11-08T07:00:00Z,h,train,START\n"
                                 "2018-11-08T07:00:20Z,h,train,STOP\n");
  ASSERT_TRUE(reading) << reading.error().message;
  EXPECT_EQ(reading->tally.longest.at(0).task, "");
}

// Two jobs at once without task names are two tasks: a STOP closes the START of its own job.
TEST(Ingest, WithoutTasksAJobIsATask) {
  const auto reading = read_text(LogKind::checkpoints,
                                 "timestamp,hostname,eventName,eventType,jobId\n"
                                 "2018-11-08T07:00:00Z,h,train,START,a\n"
                                 "2018-11-08T07:00:10Z,h,train,START,b\n"
                                 "2018-11-08T07:00:20Z,h,train,STOP,a\n"
                                 "2018-11-08T07:00:30Z,h,train,STOP,b\n");
  ASSERT_TRUE(reading) << reading.error().message;
  EXPECT_EQ(reading->tally.tasks.size(), 2U);
  EXPECT_EQ(reading->tally.longest.at(0).task, "a");
  EXPECT_EQ(reading->tally.longest.at(1).task, "b");
  EXPECT_EQ(only_totals(reading->tally).shortest_ns, 20'000'000'000);
  EXPECT_EQ(only_totals(reading->tally).longest_ns, 20'000'000'000);
}

TEST(AnalysisRules, TheGapCoversAFewSteps) {
  AnalysisRules rules;
  rules.allow_for_step(Seconds{5});
  EXPECT_EQ(rules.gap, AnalysisRules{}.gap);
  rules.allow_for_step(Seconds{30});
  EXPECT_EQ(rules.gap, Seconds{150});
}

}  // namespace
}  // namespace ergon::fleet
