// To whom energy is charged: events, idle GPUs, or nobody.

#include <gtest/gtest.h>

#include "fleet/fleet_files.h"
#include "fleet/summary/fleet_summary.h"

namespace ergon::fleet {
namespace {

using test::FleetFiles;

const Finding* energy_finding(const FleetSummary& summary, std::string_view id) {
  for (const Finding& each : summary.findings) {
    if (each.id == id) return &each;
  }
  return nullptr;
}

// 120 s of one GPU without events, with the metrics of a sample.
FleetSummary summary_without_events(const std::string& metrics) {
  FleetFiles files;
  for (std::int64_t at = 0; at <= 120'000; at += 2'000) files.sample(at, "h", metrics);
  return summarize(files.tally());
}

TEST(FleetEnergy, ABusyGpuWithoutEventsIsNotIdle) {
  const FleetSummary busy = summary_without_events("300,60,99,50");
  EXPECT_DOUBLE_EQ(busy.energy.total.si(), 36'000);
  EXPECT_DOUBLE_EQ(busy.energy.unattributed.energy.si(), 36'000);
  EXPECT_DOUBLE_EQ(busy.energy.unattributed.time.si(), 120);
  EXPECT_DOUBLE_EQ(busy.energy.idle_energy.si(), 0);
  EXPECT_DOUBLE_EQ(busy.energy.attributed.si(), 0);
  const Finding* found = energy_finding(busy, "unattributed");
  ASSERT_NE(found, nullptr);
  EXPECT_TRUE(found->about_data);
  EXPECT_NE(found->detail.find("36 kJ (100.0 %)"), std::string::npos) << found->detail;
}

TEST(FleetEnergy, IdleIsLowUtilizationAtLowPower) {
  for (const char* idle : {"30,40,0,0", "90,40,5,0", "200,40,0,0"}) {
    const FleetSummary summary = summary_without_events(idle);
    EXPECT_EQ(summary.energy.idle_energy, summary.energy.total) << idle;
    EXPECT_EQ(energy_finding(summary, "unattributed"), nullptr) << idle;
  }
  for (const char* other : {"30,40,6,0", "201,40,0,0", "30,40,,", "30,40,[N/A],0"}) {
    const FleetSummary summary = summary_without_events(other);
    EXPECT_EQ(summary.energy.idle_energy, Joules{0}) << other;
    EXPECT_EQ(summary.energy.unattributed.energy, summary.energy.total) << other;
  }
  const FleetSummary unknown = summary_without_events("30,40,,");
  const Finding* found = energy_finding(unknown, "unattributed");
  ASSERT_NE(found, nullptr);
  EXPECT_NE(found->detail.find("1 GPU without utilization, so idle time is unknown"), std::string::npos);
}

// One task before and one after 40 s in which the GPU is idle for 20 s.
TEST(FleetEnergy, TimeBetweenTasksIsIdleOnlyWhileTheGpuIs) {
  FleetFiles files;
  files.steady(0, 30'000, 2'000, "h", 250, 90);
  files.steady(32'000, 52'000, 2'000, "h", 40, 0);
  files.steady(54'000, 80'000, 2'000, "h", 250, 90);
  files.event(0, 20'000, "h", "Work", "a");
  files.event(60'000, 80'000, "h", "Work", "b");
  const FleetSummary summary = summarize(files.tally());
  EXPECT_DOUBLE_EQ(summary.energy.attributed.si(), 2 * 20 * 250);
  EXPECT_DOUBLE_EQ(summary.energy.idle_energy.si(), 20 * 40);
  EXPECT_DOUBLE_EQ(summary.energy.idle_between.energy.si(), 20 * 40);
  EXPECT_DOUBLE_EQ(summary.energy.unattributed.energy.si(), (10 + 6) * 250 + 2 * 2 * (250 + 40) / 2);
  const Finding* idle = energy_finding(summary, "idle_between");
  ASSERT_NE(idle, nullptr);
  EXPECT_DOUBLE_EQ(idle->saving_energy->si(), 20 * 40);
}

// 24 kJ in 60 s: 300 W and 100 W. Which job used which GPU is not in the logs.
TEST(FleetEnergy, TwoJobsOnTwoGpusOfAHostAreNotChargedTwice) {
  FleetFiles files;
  for (std::int64_t at = 0; at <= 60'000; at += 2'000) {
    files.sample(at, "h", "300,60,99,50", "GPU-0");
    files.sample(at, "h", "100,60,40,50", "GPU-1");
  }
  files.event(0, 60'000, "h", "train", "a");
  files.event(0, 60'000, "h", "train", "b");
  const Tally tally = files.tally();
  const FleetSummary summary = summarize(tally);
  EXPECT_DOUBLE_EQ(summary.energy.total.si(), 24'000);
  EXPECT_DOUBLE_EQ(summary.energy.attributed.si(), 24'000);
  EXPECT_DOUBLE_EQ(summary.energy.indivisible.si(), 24'000);
  ASSERT_EQ(summary.events.size(), 1u);
  EXPECT_DOUBLE_EQ(summary.events[0].energy.si(), 24'000);
  EXPECT_EQ(summary.events[0].indivisible, 2u);
  EXPECT_FALSE(summary.events[0].energy_each);
  EXPECT_FALSE(summary.events[0].joules_p50);
  EXPECT_FALSE(summary.events[0].interval[0]) << "mean power";
  EXPECT_TRUE(summary.events[0].interval[2]) << "mean utilization of the host's GPUs";
  for (const LongEventRecord& each : tally.longest) EXPECT_FALSE(each.energy);
  const Finding* found = energy_finding(summary, "indivisible");
  ASSERT_NE(found, nullptr);
  EXPECT_NE(found->detail.find("24 kJ (100.0 %)"), std::string::npos) << found->detail;
  EXPECT_NE(found->detail.find("cannot be divided"), std::string::npos) << found->detail;
}

TEST(FleetEnergy, TwoJobsWithoutTaskNamesAreNotChargedTwice) {
  FleetFiles files;
  files.steady(0, 60'000, 2'000, "h", 400);
  for (const char* job : {"a", "b"}) {
    files.row(0, "h", "train", "START", "", job);
    files.row(60'000, "h", "train", "STOP", "", job);
  }
  const FleetSummary summary = summarize(files.tally());
  EXPECT_EQ(summary.paired, 2u);
  EXPECT_DOUBLE_EQ(summary.events.at(0).energy.si(), 24'000);
}

// Neither jobs nor tasks are named: events that overlap without one containing the other are not nested.
TEST(FleetEnergy, OverlappingEventsOfAnUnnamedTaskAreNotChargedTwice) {
  FleetFiles files;
  files.steady(0, 60'000, 2'000, "h", 300);
  files.event(0, 40'000, "h", "first", "");
  files.event(20'000, 60'000, "h", "second", "");
  const FleetSummary summary = summarize(files.tally());
  ASSERT_EQ(summary.events.size(), 2u);
  for (const EventSummary& event : summary.events) {
    EXPECT_DOUBLE_EQ(event.energy.si(), 20 * 300 + 20 * 150) << event.name;
    EXPECT_DOUBLE_EQ(event.exclusive_energy.si(), 20 * 300 + 20 * 150) << event.name;
  }
}

TEST(FleetEnergy, TasksThatShareOneGpuHaveEqualShares) {
  FleetFiles files;
  files.steady(0, 60'000, 2'000, "h", 300);
  files.event(0, 40'000, "h", "first", "a");
  files.event(20'000, 60'000, "h", "second", "b");
  const FleetSummary summary = summarize(files.tally());
  ASSERT_EQ(summary.events.size(), 2u);
  for (const EventSummary& event : summary.events) {
    EXPECT_DOUBLE_EQ(event.energy.si(), 20 * 300 + 20 * 150) << event.name;
    EXPECT_DOUBLE_EQ(event.energy_each->si(), 9000) << event.name;
    EXPECT_DOUBLE_EQ(event.interval[0]->value, 9000.0 / 40) << event.name;
  }
  EXPECT_EQ(energy_finding(summary, "indivisible"), nullptr);
}

// A single task uses all GPUs of its host; nothing has to be divided.
TEST(FleetEnergy, OneTaskOnSeveralGpusHasAllTheirEnergy) {
  FleetFiles files;
  for (std::int64_t at = 0; at <= 60'000; at += 2'000) {
    files.sample(at, "h", "300,60,99,50", "GPU-0");
    files.sample(at, "h", "100,60,40,50", "GPU-1");
  }
  files.event(0, 60'000, "h", "train", "a");
  files.event(10'000, 20'000, "h", "step", "a");
  const FleetSummary summary = summarize(files.tally());
  EXPECT_DOUBLE_EQ(summary.energy.indivisible.si(), 0);
  EXPECT_DOUBLE_EQ(summary.events.at(0).energy_each->si(), 4000);
  EXPECT_DOUBLE_EQ(summary.events.at(1).energy_each->si(), 24'000);
}

}  // namespace
}  // namespace ergon::fleet
