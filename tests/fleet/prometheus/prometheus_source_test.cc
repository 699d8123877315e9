#include "fleet/prometheus/prometheus_source.h"

#include <cmath>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "fleet/prometheus/fake_prometheus.h"

namespace ergon::fleet {
namespace {

using namespace literals;
using test::FakePrometheus;

Fetch asking(FakePrometheus& prometheus) {
  return [&](const std::string& path) { return prometheus.summary(path); };
}

// Two hosts with one GPU each; the second exists from 00:30 on.
FakePrometheus small_prometheus(std::int64_t late_ms) {
  FakePrometheus prometheus;
  const Labels first{{"Hostname", "n1"}, {"UUID", "GPU-a"}}, second{{"Hostname", "n2"}, {"UUID", "GPU-b"}};
  const auto ramp = [](std::int64_t at) { return std::optional(fmt::format("{}", at / 15'000 % 300)); };
  const auto late = [=](std::int64_t at) { return at < late_ms ? std::nullopt : ramp(at); };
  prometheus.add("DCGM_FI_DEV_POWER_USAGE", first, ramp);
  prometheus.add("DCGM_FI_DEV_POWER_USAGE", second, late);
  prometheus.add("DCGM_FI_DEV_GPU_TEMP", first, "55");
  prometheus.add("DCGM_FI_DEV_GPU_UTIL", first, "80");
  return prometheus;
}

class PrometheusSourceTest : public testing::Test {
 protected:
  const Timestamp from = *parse_timestamp("2024-01-01T00:00:00Z");
  const Timestamp to = *parse_timestamp("2024-01-01T01:00:00Z");
  const StepRange hour = *steps_between(from, to, 15_s);
  FakePrometheus prometheus = small_prometheus(at_half_past());
  NameTables names;

 private:
  std::int64_t at_half_past() const { return from.ns / 1'000'000 + 1'800'000; }
};

TEST_F(PrometheusSourceTest, ReadsWindowAfterWindow) {
  PrometheusSource source(asking(prometheus), hour, names);
  EXPECT_EQ(source.size(), 7u);  // 241 steps
  EXPECT_TRUE(source.seems_ordered(60_s));
  EXPECT_EQ(source.reached(), from);
  std::size_t reads = 0;
  Timestamp latest{INT64_MIN};
  while (!source.done()) {
    RowBatch batch;
    ASSERT_TRUE(source.read(batch));
    EXPECT_EQ(source.position(), ++reads);
    EXPECT_TRUE(batch.checkpoints.empty());
    for (const auto& rows : batch.samples) {
      EXPECT_LE(rows.size(), 80u);
      for (const Sample& row : rows) {
        EXPECT_GE(row.at, latest);
        EXPECT_LT(row.at, source.reached());
        latest = row.at;
      }
    }
    EXPECT_GT(source.reached(), latest);
  }
  EXPECT_EQ(latest, to);
  EXPECT_EQ(source.position(), source.size());
  EXPECT_EQ(prometheus.questions.size(), 5 * 7u);  // four metrics and the mark of simulated GPUs
  for (const FakePrometheus::Question& each : prometheus.questions) {
    EXPECT_EQ(each.step_ms, 15'000);
    EXPECT_LE((each.last_ms - each.first_ms) / each.step_ms + 1, 40);
  }
}

TEST_F(PrometheusSourceTest, ReturnsEverySampleOnce) {
  PrometheusSource source(asking(prometheus), hour, names);
  std::set<std::pair<Code, std::int64_t>> seen;
  RowBatch batch;  // the same for all windows
  while (!source.done()) ASSERT_TRUE(source.read(batch));
  for (const auto& rows : batch.samples) {
    for (const Sample& row : rows) {
      EXPECT_TRUE(seen.emplace(row.gpu, row.at.ns).second) << to_text(row.at);
      const bool first = names.gpus[row.gpu].uuid == "GPU-a";
      EXPECT_EQ(row.power_watts, static_cast<double>(row.at.ns / 15'000'000'000 % 300));
      EXPECT_EQ(std::isnan(row.temperature_celsius), !first);
      EXPECT_TRUE(std::isnan(row.memory_percent));
    }
  }
  EXPECT_EQ(seen.size(), 241u + 121u);
  EXPECT_EQ(batch.sample_counts.rows, 241u + 121u);
  EXPECT_EQ(batch.sample_counts.not_available, (PerMetric<std::uint64_t>{0, 121, 121, 0}));
  EXPECT_EQ(names.hosts.size(), 2u);
}

TEST_F(PrometheusSourceTest, RewindStartsAgain) {
  PrometheusSource source(asking(prometheus), hour, names);
  const auto all = [&] {
    RowBatch batch;
    while (!source.done()) EXPECT_TRUE(source.read(batch));
    return batch.sample_counts;
  };
  const RowCounts once = all();
  source.rewind();
  EXPECT_FALSE(source.done());
  EXPECT_EQ(source.reached(), from);
  EXPECT_EQ(all(), once);
  EXPECT_EQ(names.gpus.size(), 2u);
}

TEST_F(PrometheusSourceTest, CanContinueAfterAFailedRequest) {
  int asked = 0;
  bool down = true;
  const Fetch sometimes = [&](const std::string& path) -> Result<std::string> {
    if (down && ++asked == 8) return fail(Errc::io, "the connection broke");  // the third metric of window 1
    return prometheus.summary(path);
  };
  PrometheusSource source(sometimes, hour, names);
  RowBatch first, second;
  ASSERT_TRUE(source.read(first));
  const auto failed = source.read(second);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "the connection broke");
  EXPECT_TRUE(second.samples.empty());
  EXPECT_EQ(source.position(), 1u);
  down = false;
  ASSERT_TRUE(source.read(second));
  EXPECT_EQ(second.samples.at(0).size(), 40u);
}

TEST_F(PrometheusSourceTest, PassesOnAStopRequest) {
  PrometheusSource source([](const std::string&) { return fail(Errc::cancelled, "interrupted"); }, hour,
                          names);
  RowBatch batch;
  EXPECT_EQ(source.read(batch).error().kind, Errc::cancelled);
}

TEST_F(PrometheusSourceTest, RejectsInvalidResponses) {
  PrometheusSource source([](const std::string&) { return std::string("<html>"); }, hour, names);
  RowBatch batch;
  EXPECT_EQ(source.read(batch).error().kind, Errc::invalid_input);
}

TEST_F(PrometheusSourceTest, NamesTheMetricsWhenThereIsNoPower) {
  FakePrometheus powerless;
  powerless.add("DCGM_FI_DEV_GPU_TEMP", {{"Hostname", "n1"}, {"UUID", "GPU-a"}}, "55");
  PrometheusSource source(asking(powerless), hour, names);
  RowBatch batch;
  for (int window = 0; window < 6; ++window) ASSERT_TRUE(source.read(batch));
  const auto last = source.read(batch);
  ASSERT_FALSE(last);
  EXPECT_EQ(last.error().kind, Errc::not_found);
  EXPECT_EQ(last.error().message,
            "Prometheus has no GPU power from 2024-01-01T00:00:00Z to 2024-01-01T01:00:00Z; metrics queried: "
            "ergon_gpu_power_watts, DCGM_FI_DEV_POWER_USAGE, dcgm_power_usage");
}

TEST_F(PrometheusSourceTest, PowerInOneWindowSuffices) {
  FakePrometheus sparse;
  const std::int64_t first = hour.first_ms;
  sparse.add("dcgm_power_usage", {{"instance", "n1:9400"}, {"gpu", "0"}},
             [=](std::int64_t at) { return at == first ? std::optional<std::string>("50") : std::nullopt; });
  PrometheusSource source(asking(sparse), hour, names);
  RowBatch batch;
  while (!source.done()) ASSERT_TRUE(source.read(batch));
  EXPECT_EQ(batch.sample_counts.rows, 1u);
}

TEST_F(PrometheusSourceTest, WarnsOfValuesOutOfRange) {
  FakePrometheus faulty;
  const std::int64_t first = hour.first_ms;
  faulty.add("DCGM_FI_DEV_POWER_USAGE", {{"Hostname", "n1"}, {"UUID", "GPU-a"}},
             [=](std::int64_t at) { return std::optional<std::string>(at == first ? "1e306" : "100"); });
  PrometheusSource source(asking(faulty), hour, names);
  RowBatch batch;
  while (!source.done()) ASSERT_TRUE(source.read(batch));
  EXPECT_EQ(batch.sample_counts.out_of_range[0], 1u);
  EXPECT_EQ(
      source.warnings(),
      std::vector<std::string>{"Prometheus: DCGM_FI_DEV_POWER_USAGE of GPU-a on n1: power \"1e+306\" is not "
                               "0 to 2000 W; it is not used"});
}

TEST_F(PrometheusSourceTest, RejectsAMetricInAnotherUnit) {
  FakePrometheus milliwatts;
  milliwatts.add("DCGM_FI_DEV_POWER_USAGE", {{"Hostname", "n1"}, {"UUID", "GPU-a"}}, "75310");
  PrometheusSource source(asking(milliwatts), hour, names);
  RowBatch batch;
  Result<> read;
  while (read && !source.done()) read = source.read(batch);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().kind, Errc::invalid_input);
  EXPECT_EQ(
      read.error().message,
      "Prometheus: DCGM_FI_DEV_POWER_USAGE of GPU-a on n1: power \"75310\" is not 0 to 2000 W; 241 such "
      "values in total");
}

TEST_F(PrometheusSourceTest, CountsRowsOfSimulatedGpus) {
  prometheus.add("ergon_gpu_simulated", {{"Hostname", "n1"}, {"UUID", "GPU-a"}}, "0");
  RowBatch real;
  PrometheusSource first(asking(prometheus), hour, names);
  while (!first.done()) ASSERT_TRUE(first.read(real));
  EXPECT_EQ(real.sample_counts.simulated, 0u);
  prometheus.add("ergon_gpu_simulated", {{"Hostname", "n2"}, {"UUID", "GPU-b"}}, "1");
  RowBatch half;
  PrometheusSource second(asking(prometheus), hour, names);
  while (!second.done()) ASSERT_TRUE(second.read(half));
  EXPECT_EQ(half.sample_counts.rows, 241u + 121u);
  EXPECT_EQ(half.sample_counts.simulated, 121u);
}

TEST_F(PrometheusSourceTest, RepeatsWarningsOnce) {
  prometheus.warning = "store 2 is down";
  PrometheusSource source(asking(prometheus), hour, names);
  EXPECT_TRUE(source.warnings().empty());
  RowBatch batch;
  while (!source.done()) ASSERT_TRUE(source.read(batch));
  EXPECT_EQ(source.warnings(), std::vector<std::string>{"Prometheus warning: store 2 is down"});
}

}  // namespace
}  // namespace ergon::fleet
