// Absent values are NaN in rows and events only (docs/adr/0021-fleet-rows-mark-absent-values-as-nan.md).

#include <cmath>
#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "base/file.h"
#include "fleet/account/event_totals.h"
#include "fleet/fleet_files.h"
#include "fleet/summary/fleet_summary.h"

namespace ergon::fleet {
namespace {

constexpr auto kPowerMetric = static_cast<std::size_t>(Metric::power);
constexpr auto kMemoryMetric = static_cast<std::size_t>(Metric::memory);

bool mentions_nan(const std::filesystem::path& file) {
  const auto text = read_file(file.string());
  EXPECT_TRUE(text) << file;
  for (const char* word : {"isnan(", "quiet_NaN", "NAN", "kUnknown", "kAllUnknown", "plausible_or_nan"}) {
    if (text && text->find(word) != std::string::npos) return true;
  }
  return false;
}

// task_file.cc writes events, and empty cells for NaN.
TEST(AbsentValues, NanStaysInRowsAndEvents) {
  const std::filesystem::path fleet = std::filesystem::path(ERGON_REPOSITORY) / "src/fleet";
  std::set<std::string> places;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(fleet)) {
    if (entry.is_regular_file() && mentions_nan(entry.path()))
      places.insert(std::filesystem::relative(entry.path(), fleet).begin()->string());
  }
  EXPECT_EQ(places, (std::set<std::string>{"account", "prometheus", "reading", "task_file.cc"}));
}

TEST(AbsentValues, TotalsSkipThem) {
  EventTelemetry telemetry;
  telemetry.coverage = 1;
  telemetry.at_start[kPowerMetric] = 100;
  telemetry.mean[kPowerMetric] = 120;
  EventTotals totals;
  totals.add(0, 1'000'000'000, telemetry);
  totals.add(0, 1'000'000'000, EventTelemetry{});
  for (std::size_t m = 0; m < kMetrics; ++m) {
    const bool power = m == kPowerMetric;
    EXPECT_EQ(totals.nearest[m], power ? 100 : 0);
    EXPECT_EQ(totals.nearest_rows[m], power ? 1U : 0U);
    EXPECT_EQ(totals.mean[m], power ? 120 : 0);
    EXPECT_EQ(totals.mean_squares[m], power ? 120 * 120 : 0);
    EXPECT_EQ(totals.mean_events[m], power ? 1U : 0U);
  }
  EXPECT_EQ(totals.nearest_idle, 0U) << "an unknown utilization is not 0";
  EXPECT_EQ(totals, EventTotals(totals)) << "NaN would differ from itself";
}

// Memory utilization is never reported; power is missing in every other sample and out of range once.
TEST(AbsentValues, AreEmptyInTheSummary) {
  test::FleetFiles files;
  files.event(10'000, 50'000, "a", "Whole");
  for (std::int64_t at = 0; at <= 60'000; at += 1'000) {
    const bool known = at / 1'000 % 2 == 0;
    files.sample(at, "a", at == 20'000 ? "99999,50,80," : known ? "200,50,80," : ",50,80,[N/A]");
  }
  const Tally tally = files.tally();
  EXPECT_EQ(tally.samples.not_available[kMemoryMetric], 61U);
  EXPECT_EQ(tally.samples.not_available[kPowerMetric], 30U);
  EXPECT_EQ(tally.samples.out_of_range[kPowerMetric], 1U);
  const FleetSummary summary = summarize(tally);
  ASSERT_EQ(summary.gpu_list.size(), 1U);
  EXPECT_EQ(summary.gpu_list[0].mean[kPowerMetric], 200);
  EXPECT_FALSE(summary.gpu_list[0].mean[kMemoryMetric]);
  ASSERT_EQ(summary.events.size(), 1U);
  ASSERT_TRUE(summary.events[0].interval[kPowerMetric]);
  EXPECT_NEAR(summary.events[0].interval[kPowerMetric]->value, 200, 1e-9);
  EXPECT_NEAR(summary.events[0].energy.si(), 200 * 40, 1e-6);
  EXPECT_FALSE(summary.events[0].interval[kMemoryMetric]);
  EXPECT_FALSE(summary.events[0].nearest[kMemoryMetric]);
}

}  // namespace
}  // namespace ergon::fleet
