#include "fleet/summary/heat_map.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "fleet/fleet_files.h"

namespace ergon::fleet {
namespace {

constexpr std::int64_t kNanoseconds = 1'000'000'000;

GpuTally& gpu_in(Tally& tally, const std::string& host, std::size_t number = 0) {
  auto& gpus = tally.hosts[host].gpus;
  if (gpus.size() <= number) gpus.resize(number + 1);
  return gpus[number];
}

TEST(HeatMap, IsEmptyWithoutSamples) {
  Tally tally;
  EXPECT_TRUE(heat_map_of(tally).hosts.empty());
  tally.hosts["silent"].gpus.resize(2);
  const HeatMap map = heat_map_of(tally);
  EXPECT_TRUE(map.hosts.empty());
  EXPECT_TRUE(map.watts.empty());
}

TEST(HeatMap, PowerIsASumAndUtilizationAMean) {
  Tally tally;
  gpu_in(tally, "a", 0).history.add({400 * kNanoseconds}, 100, 20);
  gpu_in(tally, "a", 0).history.add({401 * kNanoseconds}, 200, 40);
  gpu_in(tally, "a", 1).history.add({402 * kNanoseconds}, 50, 90);
  gpu_in(tally, "b").history.add({409 * kNanoseconds}, std::nan(""), 5);
  const HeatMap map = heat_map_of(tally);
  EXPECT_EQ(map.start.ns, 400 * kNanoseconds);
  EXPECT_EQ(map.bin, Seconds{4});
  EXPECT_EQ(map.hosts, (std::vector<std::string>{"a", "b"}));
  ASSERT_EQ(map.watts[0].size(), 3u);
  EXPECT_EQ(map.watts[0], (std::vector<std::optional<double>>{200, std::nullopt, std::nullopt}));
  EXPECT_EQ(map.percent[0], (std::vector<std::optional<double>>{60, std::nullopt, std::nullopt}));
  EXPECT_EQ(map.watts[1], (std::vector<std::optional<double>>(3)));
  EXPECT_EQ(map.percent[1], (std::vector<std::optional<double>>{std::nullopt, std::nullopt, 5}));
}

TEST(HeatMap, HostsShareOneTimeAxis) {
  Tally tally;
  GpuHistory& early = gpu_in(tally, "early").history;
  for (std::int64_t i = 0; i < 90; ++i) early.add({i * 4 * kNanoseconds}, 10, 1);
  GpuHistory& late = gpu_in(tally, "late").history;
  for (std::int64_t i = 0; i < 90; ++i) late.add({(100'000 + i * 4) * kNanoseconds}, 20, 1);
  const HeatMap map = heat_map_of(tally);
  EXPECT_LE(map.watts[0].size(), HeatMap::kMaxBins);
  EXPECT_GT(map.watts[0].size(), HeatMap::kMaxBins / 2 - 1) << "not coarser than necessary";
  EXPECT_EQ(map.watts[0].size(), map.watts[1].size());
  EXPECT_EQ(map.watts[0].front(), 10.0);
  EXPECT_EQ(map.watts[1].back(), 20.0);
  EXPECT_FALSE(map.watts[1].front());
}

TEST(HeatMap, CountsOmittedHosts) {
  Tally tally;
  for (int i = 0; i < 1030; ++i)
    gpu_in(tally, fmt::format("host{:04}", i)).history.add({400 * kNanoseconds}, 1, 1);
  const HeatMap map = heat_map_of(tally);
  EXPECT_EQ(map.hosts.size(), 1024u);
  EXPECT_EQ(map.hosts_omitted, 6u);
  EXPECT_EQ(map.watts.size(), 1024u);
  EXPECT_EQ(map.percent.size(), 1024u);
  EXPECT_EQ(map.hosts.back(), "host1023");
}

// The first and the last century of Timestamp.
TEST(HeatMap, ExtremeTimestampsDoNotOverflow) {
  Tally tally;
  gpu_in(tally, "a").history.add({INT64_MIN}, 1, 1);
  gpu_in(tally, "b").history.add({INT64_MAX}, 2, 2);
  const HeatMap map = heat_map_of(tally);
  ASSERT_EQ(map.hosts.size(), 2u);
  EXPECT_LE(map.watts[0].size(), HeatMap::kMaxBins);
  EXPECT_EQ(map.watts[0].front(), 1.0);
  EXPECT_EQ(map.watts[1].back(), 2.0);
  EXPECT_LT(map.start.ns, 0) << "before 1970";
}

// Two GPUs for an hour; one of them is off in the second half.
TEST(FleetOverTime, SumsPowerAndAveragesUtilization) {
  test::FleetFiles files;
  files.steady(0, 3'600'000, 2'000, "a", 100, 80);
  files.steady(0, 1'800'000, 2'000, "b", 50, 20);
  const FleetOverTime over_time = fleet_over_time(files.tally());
  ASSERT_GT(over_time.rows.size(), 8u);
  ASSERT_LE(over_time.rows.size(), FleetOverTime::kMaxRows);
  const auto& first = over_time.rows[1];
  const auto& last = over_time.rows.back();
  EXPECT_EQ(first.gpus, 2u);
  EXPECT_DOUBLE_EQ(*first.watts, 150);
  EXPECT_DOUBLE_EQ(*first.percent, 50);
  EXPECT_EQ(last.gpus, 1u);
  EXPECT_DOUBLE_EQ(*last.watts, 100);
  EXPECT_DOUBLE_EQ(*last.percent, 80);
  for (std::size_t i = 1; i < over_time.rows.size(); ++i)
    EXPECT_DOUBLE_EQ((over_time.rows[i].start - over_time.rows[i - 1].start).si(), over_time.bin.si());
  EXPECT_TRUE(fleet_over_time(Tally{}).rows.empty());
}

}  // namespace
}  // namespace ergon::fleet
