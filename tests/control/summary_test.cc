#include "control/summary.h"

#include <gtest/gtest.h>

namespace ergon::control {
namespace {

// Decisions of one second each: batch, samples per second.
CapRun run_of(const std::vector<std::pair<std::int64_t, double>>& seconds, const std::vector<double>& watts,
              double cap) {
  CapRun run;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    Decision decision;
    decision.feedback.at = Seconds{static_cast<double>(i + 1)};
    decision.feedback.lasted = Seconds{1};
    decision.feedback.point.batch = seconds[i].first;
    decision.feedback.samples = seconds[i].second;
    decision.feedback.latency = Seconds{static_cast<double>(seconds[i].first) / seconds[i].second};
    run.latencies.add(decision.feedback.latency->si(), seconds[i].second);
    decision.feedback.cap = Watts{cap};
    run.decisions.push_back(decision);
    const double from = static_cast<double>(i);
    run.segments.push_back({{Seconds{from}, Seconds{from + 1}, Watts{watts[i]}}, Watts{cap}});
  }
  return run;
}

TEST(Summary, SumsTheRun) {
  const Summary summary = summary_of(
      run_of({{1, 100}, {8, 400}, {16, 500}, {16, 500}, {16, 500}}, {90, 210, 180, 180, 190}, 200));
  EXPECT_EQ(summary.lasted, Seconds{5});
  EXPECT_NEAR(summary.throughput, 400, 1e-9);
  EXPECT_NEAR(summary.mean_power.si(), 170, 1e-9);
  EXPECT_EQ(summary.max_power, Watts{210});
  EXPECT_EQ(summary.violation, Seconds{1});
  EXPECT_EQ(summary.longest_violation, Seconds{1});
  EXPECT_NEAR(summary.violation_energy.si(), 10, 1e-9);
  EXPECT_NEAR(summary.mean_batch, (1 + 8 + 48) / 5.0, 1e-9);
  EXPECT_FALSE(summary.mean_clock);
  EXPECT_EQ(summary.changes, 2u);
  EXPECT_EQ(summary.settled_decisions, 2u);
  EXPECT_EQ(summary.settled_after, Seconds{2});
  EXPECT_NEAR(summary.settled_throughput, 500, 1e-9);
  EXPECT_EQ(summary.violation_after_settling, Seconds{0});
  EXPECT_NEAR(summary.latency.value().si(), 16 / 500.0, 0.005 * 16 / 500);
}

TEST(Summary, TheLongestViolationIsContiguous) {
  const Summary summary = summary_of(run_of({{4, 100}, {4, 100}, {4, 100}, {4, 100}, {4, 100}, {4, 100}},
                                            {210, 220, 100, 230, 100, 100}, 200));
  EXPECT_EQ(summary.violation, Seconds{3});
  EXPECT_EQ(summary.longest_violation, Seconds{2});
  EXPECT_NEAR(summary.violation_energy.si(), 60, 1e-9);
  EXPECT_EQ(summary.settled_decisions, 0u);
}

TEST(Summary, SmallChangesOfThroughputDoNotDelaySettling) {
  const Summary summary =
      summary_of(run_of({{16, 500}, {17, 505}, {16, 500}, {17, 505}}, {180, 181, 180, 181}, 200));
  EXPECT_EQ(summary.changes, 3u);
  EXPECT_EQ(summary.settled_decisions, 0u);
}

TEST(Summary, OfAnEmptyRunIsEmpty) { EXPECT_EQ(summary_of(control::CapRun{}).decisions, 0u); }

}  // namespace
}  // namespace ergon::control
