#include "report/cap_json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/si_prefixes.h"

namespace ergon::report {
namespace {

using Json = nlohmann::ordered_json;

// Half a second at each point: 100 samples at batch 10, 150 at batch 20. The cap falls to 120 W at 1.5 s.
CapReport small_report(bool with_clock) {
  CapReport report;
  control::CapRun& run = report.run;
  run.controller = "joint";
  const std::int64_t batches[] = {20, 20, 20, 10, 10, 10, 10};
  for (std::size_t i = 0; i < std::size(batches); ++i) {
    const bool large = batches[i] == 20;
    control::Decision decision;
    control::Feedback& feedback = decision.feedback;
    feedback.at = Seconds{0.5 * static_cast<double>(i + 1)};
    feedback.lasted = Seconds{0.5};
    feedback.point = {batches[i], with_clock ? std::optional(Hertz{900 * kMega}) : std::nullopt};
    feedback.samples = large ? 150 : 100;
    feedback.power = Watts{large ? 200. : 110.};
    feedback.mean_power = Watts{large ? 190. : 105.};
    feedback.cap = Watts{i < 2 ? 200. : 120.};
    decision.next = {{i + 1 < std::size(batches) ? batches[i + 1] : 10, feedback.point.clock}, "because"};
    run.decisions.push_back(decision);
    run.segments.push_back(
        {{feedback.at - feedback.lasted, feedback.at, *feedback.power}, i < 3 ? Watts{200} : Watts{120}});
  }
  run.caps = {{Seconds{0}, Watts{200}, "schedule", Seconds{0.5}, 1},
              {Seconds{1.5}, Watts{120}, "schedule", {}, 0}};
  run.remarks = {"odd"};
  report.summary = control::summary_of(run);
  report.best = control::OraclePoint{{12, Hertz{900 * kMega}}, {Seconds{0.05}, Watts{119}}, 250};
  return report;
}

TEST(CapJson, HasTheSummaryInItsUnits) {
  const Json json = cap_json(small_report(true));
  EXPECT_EQ(json["controller"], "joint");
  EXPECT_EQ(json["cap_watts"], 120);
  EXPECT_DOUBLE_EQ(json["duration_seconds"], 3.5);
  EXPECT_DOUBLE_EQ(json["throughput_samples_per_second"], 850 / 3.5);
  EXPECT_DOUBLE_EQ(json["power_mean_watts"], (3 * 200 + 4 * 110) / 7.0);
  EXPECT_EQ(json["power_max_watts"], 200);
  EXPECT_EQ(json["violation_seconds"], 0);
  EXPECT_DOUBLE_EQ(json["mean_clock_mhz"], 900);
  EXPECT_DOUBLE_EQ(json["mean_batch"], 100 / 7.0);
  EXPECT_EQ(json["oracle_throughput"], 250);
  EXPECT_EQ(json["oracle"]["batch"], 12);
  EXPECT_EQ(json["remarks"], Json::array({"odd"}));
  EXPECT_EQ(json["decisions"].size(), 7u);
  EXPECT_EQ(json["decisions"][2]["next_batch"], 10);
  EXPECT_EQ(json["decisions"][2]["reason"], "because");
}

TEST(CapJson, ReportsTheShareOfTheOracle) {
  const CapReport report = small_report(true);
  EXPECT_TRUE(report.settled());
  EXPECT_DOUBLE_EQ(report.share_of_best().value(), 200 / 250.0);
}

// Under the last cap, since nothing else says what it was like.
TEST(CapJson, UsesTheMeanIfNeverSettled) {
  CapReport report = small_report(true);
  report.summary.settled_decisions = 6;
  report.summary.settled_throughput = 1;
  EXPECT_FALSE(report.settled());
  EXPECT_DOUBLE_EQ(report.share_of_best().value(), 200 / 250.0);
  EXPECT_EQ(cap_json(report)["settled"], false);
}

TEST(CapJson, AbsentValuesAreNull) {
  CapReport report = small_report(false);
  report.best.reset();
  report.run.decisions[1].feedback.power.reset();
  const Json json = cap_json(report);
  for (const char* name :
       {"mean_clock_mhz", "latency_p99_seconds", "oracle_throughput", "oracle", "share_of_oracle"})
    EXPECT_TRUE(json[name].is_null()) << name;
  for (const char* name :
       {"clock_hertz", "power_watts", "latency_seconds", "temperature_celsius", "next_clock_hertz"})
    EXPECT_TRUE(json["decisions"][1][name].is_null()) << name;
  EXPECT_EQ(json["caps"][0]["took_seconds"], 0.5);
  EXPECT_TRUE(json["caps"][1]["took_seconds"].is_null());
}

}  // namespace
}  // namespace ergon::report
