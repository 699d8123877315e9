#include "fleet/summary/fleet_summary.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "fleet/fleet_files.h"

namespace ergon::fleet {
namespace {

using test::FleetFiles;

const Finding* finding(const FleetSummary& summary, std::string_view id) {
  for (const Finding& each : summary.findings) {
    if (each.id == id) return &each;
  }
  return nullptr;
}

// Hosts with consecutive tasks of 40 s and a little noise; utilization starts at the tenth second.
struct FleetShape {
  int hosts = 20, tasks = 12;
  double slow_by = 0;  // slowdown of the second half of the hosts
  double noise = 0.5;  // of task durations, in seconds
  int skewed = -1;     // host with skewed samples
  double skew = 0;
  int slow_host = -1;  // host that takes a quarter longer
  int straggler = -1;  // host whose last task takes ten times as long
};

FleetFiles fleet_of(const FleetShape& shape) {
  FleetFiles files;
  Random random(7);
  for (int host = 0; host < shape.hosts; ++host) {
    const std::string name = fmt::format("h{:02}", host);
    const bool slow = host >= shape.hosts / 2;
    std::int64_t at = 1'000;
    for (int task = 0; task < shape.tasks; ++task) {
      double seconds = 40 * (1 + (slow ? shape.slow_by : 0)) + shape.noise * random.normal();
      if (host == shape.slow_host) seconds *= 1.25;
      if (host == shape.straggler && task + 1 == shape.tasks) seconds *= 10;
      const auto length = static_cast<std::int64_t>(seconds * 1e3);
      files.event(at, at + length, name, "Whole", fmt::format("{}-{}", name, task));
      const auto ahead = static_cast<std::int64_t>(host == shape.skewed ? shape.skew * 1e3 : 0);
      const auto phase = static_cast<std::int64_t>(random.uniform() * 2'000);
      for (std::int64_t t = at + phase; t < at + length + 4'000; t += 2'000) {
        const bool busy = t >= at + 10'000 && t < at + length - 4'000;
        files.sample(t + ahead, name,
                     busy ? fmt::format("200,60,90,{}", slow && shape.slow_by > 0 ? 50 : 40) : "40,40,0,0");
      }
      at += length + 4'000;
    }
  }
  return files;
}

TEST(FleetSummary, FindsTwoPopulationsAndTheirSaving) {
  FleetShape shape;
  shape.slow_by = 0.1;
  const FleetSummary summary = summarize(fleet_of(shape).tally());
  ASSERT_EQ(summary.populations.groups.size(), 2U);
  EXPECT_EQ(summary.populations.groups[0].gpus, 10U);
  EXPECT_NEAR(summary.populations.groups[0].task_seconds, 40, 0.3);
  EXPECT_NEAR(summary.populations.groups[1].task_seconds, 44, 0.3);
  EXPECT_GT(summary.populations.separation, 2);
  const Finding* slow = finding(summary, "slow_population");
  ASSERT_NE(slow, nullptr);
  // 4 s at 200 W for each of 120 tasks.
  EXPECT_NEAR(slow->saving_energy->si(), 120 * 4 * 200, 5000);
  EXPECT_NEAR(slow->saving_time->si(), 120 * 4, 30);
  // Memory correlates with duration between the groups; within them it is constant.
  EXPECT_GT(summary.correlations[3].pooled.value_or(0), 0.9);
}

TEST(FleetSummary, FindsOnePopulation) {
  const FleetSummary summary = summarize(fleet_of({}).tally());
  EXPECT_EQ(summary.populations.groups.size(), 1U);
  EXPECT_FALSE(summary.populations.clear);
  EXPECT_EQ(finding(summary, "slow_population"), nullptr);
  EXPECT_EQ(finding(summary, "skew"), nullptr);
  EXPECT_EQ(finding(summary, "busy_outside"), nullptr);
}

TEST(FleetSummary, FindsClockSkew) {
  for (const double seconds : {6.0, -5.0}) {
    FleetShape shape;
    shape.skewed = 3;
    shape.skew = seconds;
    const FleetSummary summary = summarize(fleet_of(shape).tally());
    ASSERT_NE(finding(summary, "skew"), nullptr) << seconds;
    for (const HostSummary& host : summary.host_list) {
      EXPECT_EQ(host.skew.has_value(), host.name == "h03") << host.name;
      EXPECT_NEAR(host.skew.value_or(Seconds{seconds}).si(), seconds, 1) << host.name;
    }
  }
}

// 90 s exceed the maximum skew. (With identical tasks, a skew of a whole task would not be detectable.)
TEST(FleetSummary, ALargeClockSkewIsReportedWithoutAnAmount) {
  FleetShape shape;
  shape.skewed = 3;
  shape.skew = 98;
  shape.noise = 8;
  shape.tasks = 40;
  const FleetSummary summary = summarize(fleet_of(shape).tally());
  EXPECT_NE(finding(summary, "skew_unclear"), nullptr);
  for (const HostSummary& host : summary.host_list) {
    EXPECT_FALSE(host.skew) << host.name;
    EXPECT_EQ(host.skew_unclear, host.name == "h03") << host.name;
  }
}

TEST(FleetSummary, ASlowHostIsAnOutlierOfItsPopulation) {
  FleetShape shape;
  shape.slow_host = 4;
  const FleetSummary summary = summarize(fleet_of(shape).tally());
  const Finding* slow = finding(summary, "slow_hosts");
  ASSERT_NE(slow, nullptr);
  EXPECT_NE(slow->detail.find("1 host; the slowest is h04"), std::string::npos) << slow->detail;
  for (const HostSummary& host : summary.host_list)
    EXPECT_EQ(host.z.value_or(0) > 3.5, host.name == "h04") << host.name;
}

// Samples of 100 W and 200 W, 2 s apart: uniform between 200 J and 400 J.
TEST(FleetSummary, EnergyHasAnUncertaintyFromTheSamplePeriod) {
  FleetFiles files;
  files.sample(0, "h", "100,50,50,30");
  files.sample(2'000, "h", "200,50,50,30");
  files.event(0, 2'000, "h", "Work");
  const FleetSummary summary = summarize(files.tally());
  EXPECT_DOUBLE_EQ(summary.events[0].energy.si(), 300);
  EXPECT_NEAR(summary.events[0].energy_sigma.si(), 100 * 2 / std::sqrt(12.0), 1e-9);
}

TEST(FleetSummary, FindsStragglersAndTheirSaving) {
  FleetShape shape;
  shape.straggler = 5;
  const FleetSummary summary = summarize(fleet_of(shape).tally());
  ASSERT_EQ(summary.stragglers.size(), 1U);
  EXPECT_EQ(summary.stragglers[0].event.task, "h05-11");
  ASSERT_EQ(summary.longest_tasks.size(), kMaxLongEvents);
  for (std::size_t i = 0; i < kMaxLongEvents; ++i) {
    const LongTask& each = summary.longest_tasks[i];
    EXPECT_EQ(each.straggler, i == 0) << i;
    EXPECT_TRUE(each.times_median) << i;
    EXPECT_LE(each.event.duration_ns, summary.longest_tasks[0].event.duration_ns) << i;
  }
  EXPECT_NEAR(summary.stragglers[0].times_median, 10, 0.5);
  const Finding* late = finding(summary, "stragglers");
  ASSERT_NE(late, nullptr);
  EXPECT_NEAR(late->saving_time->si(), 360, 10);
}

TEST(FleetSummary, ReportsThatTheNearestSampleIsMisleading) {
  const FleetSummary summary = summarize(fleet_of({}).tally());
  ASSERT_EQ(summary.events.size(), 1U);
  EXPECT_DOUBLE_EQ(*summary.events[0].nearest[2], 0);
  EXPECT_DOUBLE_EQ(*summary.events[0].nearest_idle, 1);
  EXPECT_GT(summary.events[0].interval[2]->value, 50);
  EXPECT_NE(finding(summary, "nearest_misleads"), nullptr);
}

TEST(FleetSummary, CountsUnpairedCheckpointsByReason) {
  FleetFiles files;
  files.row(0, "a", "Work", "START", "crosses");
  files.row(5'000, "b", "Work", "STOP", "crosses");
  files.row(1'000, "a", "Work", "STOP", "no start");
  files.row(2'000, "a", "Work", "START", "no stop");
  files.event(3'000, 4'000, "a", "Work", "fine");
  files.row(9'000, "b", "Work", "START", "runs");
  const FleetSummary summary = summarize(files.tally());
  EXPECT_EQ(summary.paired, 1U);
  EXPECT_EQ(summary.unpaired.cross_hosts, 1U);
  EXPECT_EQ(summary.unpaired.start_missing, 1U);
  EXPECT_EQ(summary.unpaired.stop_missing, 1U);
  EXPECT_EQ(summary.unpaired.still_running, 1U);
  EXPECT_EQ(summary.unpaired.rows(), 5U);
  EXPECT_EQ(summary.tasks, 5U);
  EXPECT_NE(finding(summary, "unpaired"), nullptr);
}

TEST(FleetSummary, ExplainsAnEmptyJoin) {
  FleetFiles files;
  files.event(0, 60'000, "h", "Work");
  for (const char* second : {"00", "20", "40", "59"})
    files.samples.push_back(fmt::format("2018-11-08 09:00:{},h,1,GPU-a,100,50,50,30", second));
  const FleetSummary summary = summarize(files.tally());
  const Finding* empty = finding(summary, "empty_join");
  ASSERT_NE(empty, nullptr);
  EXPECT_NE(
      empty->detail.find("Timestamps of samples have no time zone; a --time-zone 2:00 further ahead of UTC"),
      std::string::npos)
      << empty->detail;
  EXPECT_FALSE(summary.events[0].interval[0]);
  EXPECT_FALSE(summary.events[0].nearest[0]);
  EXPECT_FALSE(summary.events[0].energy_each);
  // The energy of events is unknown, so there is no saving.
  EXPECT_EQ(finding(summary, "idle_outside"), nullptr);
}

// If samples of a host's GPUs end early, partly covered events are excluded from means.
TEST(FleetSummary, PartlyCoveredEventsAreExcludedFromMeans) {
  FleetFiles files;
  files.steady(0, 110'000, 2'000, "h", 100);
  files.event(0, 50'000, "h", "Work", "a");
  files.event(100'000, 200'000, "h", "Work", "b");
  const FleetSummary summary = summarize(files.tally());
  EXPECT_EQ(summary.events[0].part_covered, 1U);
  EXPECT_DOUBLE_EQ(summary.events[0].energy_each->si(), 5000);
  EXPECT_DOUBLE_EQ(summary.events[0].energy.si(), 6000);
  EXPECT_NE(finding(summary, "partly_sampled"), nullptr);

  FleetFiles two;
  for (int i = 0; i <= 50; ++i) {
    two.sample(i * 2'000, "h", "100,50,50,30", "GPU-0");
    if (i < 26) two.sample(i * 2'000, "h", "100,50,50,30", "GPU-1");
  }
  two.event(10'000, 40'000, "h", "Work", "a");
  two.event(60'000, 90'000, "h", "Work", "b");
  const FleetSummary vanished = summarize(two.tally());
  EXPECT_DOUBLE_EQ(vanished.events[0].interval[0]->value, 200);
  EXPECT_DOUBLE_EQ(vanished.events[0].energy_each->si(), 6000);
  EXPECT_EQ(vanished.events[0].part_covered, 1U);
}

// Twenty equal events on many hosts, without task names: the selection is deterministic.
TEST(FleetSummary, EqualStragglersHaveAUniqueOrder) {
  FleetFiles files;
  for (int host = 0; host < 60; ++host) {
    for (int step = 0; step < 4; ++step)
      files.event(step * 100'000, step * 100'000 + (step == 3 ? 90'000 : 1'000), fmt::format("h{:02}", host),
                  "Work", "");
  }
  const Tally tally = files.tally();
  std::reverse(files.checkpoints.begin(), files.checkpoints.end());
  EXPECT_EQ(files.tally().longest, tally.longest);
  ASSERT_EQ(tally.longest.size(), kMaxLongEvents);
}

TEST(FleetSummary, ReportsGpusWhoseSamplesEndEarly) {
  FleetFiles files;
  files.steady(0, 60'000, 2'000, "h", 100);
  files.event(1'000, 50'000, "h", "Work", "a");
  files.event(200'000, 300'000, "h", "Work", "b");
  const FleetSummary summary = summarize(files.tally());
  EXPECT_NE(finding(summary, "vanished"), nullptr);
  EXPECT_EQ(summary.events[0].uncovered, 1U);
  EXPECT_DOUBLE_EQ(summary.events[0].energy_each->si(), 4900);
}

TEST(FleetSummary, UsesMeansOfGpusFromAFile) {
  FleetFiles files;
  std::vector<GpuMeans> means;
  for (int host = 0; host < 10; ++host) {
    const std::string name = fmt::format("h{}", host);
    files.event(0, 1'000 * (host + 1), name, "Work", name);
    means.push_back({name, fmt::format("GPU-{}", host), {1.0 * host, 5.0, -1.0 * host, std::nullopt}});
  }
  const FleetSummary summary = summarize(files.tally(), means);
  EXPECT_NEAR(*summary.correlations[0].pooled, 1, 1e-12);
  EXPECT_FALSE(summary.correlations[1].pooled);
  EXPECT_NEAR(*summary.correlations[2].pooled, -1, 1e-12);
}

}  // namespace
}  // namespace ergon::fleet
