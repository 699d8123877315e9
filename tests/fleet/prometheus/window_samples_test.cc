#include "fleet/prometheus/window_samples.h"

#include <cmath>

#include <gtest/gtest.h>

#include "fleet/prometheus/fake_prometheus.h"

namespace ergon::fleet {
namespace {

using test::with_name;

// One second, two steps.
constexpr StepRange kWindow{1000, 1500, 500};

Matrix one(const std::string& name, const Labels& labels, std::vector<SeriesValue> values) {
  Matrix matrix;
  matrix.series.push_back({with_name(name, labels), std::move(values)});
  return matrix;
}

class WindowSamplesTest : public testing::Test {
 protected:
  std::vector<Sample> rows() { return samples.rows(names, counts); }

  const Labels gpu{{"Hostname", "n1"}, {"UUID", "GPU-a"}};
  NameTables names;
  RowCounts counts;
  WindowSamples samples{kWindow};
};

TEST_F(WindowSamplesTest, JoinsMetricsByGpuAndTime) {
  samples.add(Metric::power, one("DCGM_FI_DEV_POWER_USAGE", gpu, {{1000, 100}, {1500, 110}}));
  samples.add(Metric::temperature, one("DCGM_FI_DEV_GPU_TEMP", gpu, {{1000, 40}}));
  samples.add(Metric::utilization, one("ergon_gpu_utilization_ratio", gpu, {{1000, 0.25}, {1500, 1}}));
  samples.add(Metric::memory, {});
  const auto all = rows();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].at, at_ms(1000));
  EXPECT_EQ(all[0].power_watts, 100);
  EXPECT_EQ(all[0].temperature_celsius, 40);
  EXPECT_EQ(all[0].utilization_percent, 25);
  EXPECT_TRUE(std::isnan(all[0].memory_percent));
  EXPECT_EQ(all[1].at, at_ms(1500));
  EXPECT_TRUE(std::isnan(all[1].temperature_celsius));
  EXPECT_EQ(all[1].utilization_percent, 100);
  EXPECT_EQ(counts.rows, 2u);
  // One temperature is missing; no GPU has memory utilization.
  EXPECT_EQ(counts.not_available, (PerMetric<std::uint64_t>{0, 1, 0, 0}));
  EXPECT_EQ(names.gpus.size(), 1u);
  EXPECT_EQ(names.hosts[names.gpus[all[0].gpu].host], "n1");
  EXPECT_EQ(names.gpus[all[0].gpu].uuid, "GPU-a");
}

TEST_F(WindowSamplesTest, UsesThePreferredNameWithAValue) {
  const Labels old{{"instance", "n1:9400"}, {"uuid", "GPU-a"}};
  Matrix both = one("dcgm_power_usage", old, {{1000, 7}, {1500, 8}});
  both.series.push_back({with_name("DCGM_FI_DEV_POWER_USAGE", gpu), {{1000, 100}, {1500, std::nullopt}}});
  samples.add(Metric::power, both);
  const auto all = rows();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].power_watts, 100);
  EXPECT_EQ(all[1].power_watts, 8);
  EXPECT_EQ(counts.not_available[0], 0u);
}

TEST_F(WindowSamplesTest, CountsImplausibleValues) {
  // The value of DCGM for a missing sensor.
  samples.add(Metric::power, one("DCGM_FI_DEV_POWER_USAGE", gpu, {{1000, 9223372036854775794.0}}));
  samples.add(Metric::temperature, one("DCGM_FI_DEV_GPU_TEMP", gpu, {{1000, std::nullopt}}));
  const auto all = rows();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_TRUE(std::isnan(all[0].power_watts));
  EXPECT_EQ(counts.out_of_range[0], 1u);
  EXPECT_EQ(counts.not_available[1], 1u);
}

TEST_F(WindowSamplesTest, SkipsValuesOfOtherWindows) {
  samples.add(Metric::power,
              one("dcgm_power_usage", gpu, {{500, 1}, {999, 2}, {1000, 3}, {1999, 4}, {2000, 5}}));
  const auto all = rows();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].power_watts, 3);
  EXPECT_EQ(all[1].power_watts, 4);
}

TEST_F(WindowSamplesTest, CountsGpusWithoutAHost) {
  samples.add(Metric::power, one("dcgm_power_usage", {{"uuid", "GPU-a"}}, {{1000, 1}, {1500, 2}}));
  samples.add(Metric::temperature, one("dcgm_gpu_temp", {{"uuid", "GPU-a"}}, {{1000, 1}, {1500, 2}}));
  EXPECT_TRUE(rows().empty());
  EXPECT_EQ(counts.rows, 2u);
  EXPECT_EQ(counts.nameless, 2u);
  EXPECT_EQ(names.gpus.size(), 0u);
}

TEST_F(WindowSamplesTest, IgnoresUnknownNames) {
  samples.add(Metric::power, one("up", gpu, {{1000, 1}}));
  samples.add(Metric::power, {{LabeledSeries{gpu, {{1000, 1}}}}, {}});
  EXPECT_TRUE(rows().empty());
  EXPECT_FALSE(samples.has(Metric::power));
}

TEST_F(WindowSamplesTest, DuplicateSeriesCountOnce) {
  // MIG instances of a GPU, and a GPU before and after a pod started, have equal series.
  Labels second = gpu;
  second["GPU_I_ID"] = "1";
  Matrix both = one("DCGM_FI_DEV_POWER_USAGE", gpu, {{1000, 100}});
  both.series.push_back({with_name("DCGM_FI_DEV_POWER_USAGE", second), {{1000, 101}}});
  samples.add(Metric::power, both);
  const auto all = rows();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].power_watts, 100);
}

}  // namespace
}  // namespace ergon::fleet
