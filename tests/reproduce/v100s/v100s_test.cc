// The paper's experiment on the twin; the verdicts are those of docs/sweep.md.

#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/process.h"

namespace ergon::reproduce {
namespace {

using Json = nlohmann::json;

void expect_known_verdicts(const Json& document) {
  std::map<std::string, std::string> holds;
  for (const Json& claim : document["claims"]) {
    holds[claim["id"]] = claim["holds"];
    EXPECT_FALSE(claim["paper"].get<std::string>().empty());
    EXPECT_FALSE(claim["ours"].get<std::string>().empty());
    // A claim that does not hold has a reason.
    EXPECT_TRUE(claim["holds"] != "no" || claim["reason"].is_string()) << claim;
  }
  const std::map<std::string, std::string> expected{{"power_follows_clock", "exactly"},
                                                    {"time_hardly_follows", "approximately"},
                                                    {"time_follows_most", "no"},
                                                    {"never_half_slower", "exactly"},
                                                    {"steeper_past_1200", "approximately"},
                                                    {"time_repeats", "exactly"},
                                                    {"power_repeats", "no"},
                                                    {"rises_most", "no"},
                                                    {"rises_least", "exactly"},
                                                    {"nasnets_rise_early", "no"}};
  EXPECT_EQ(holds, expected);
}

void expect_only_power_limited_runs_excluded(const Json& document) {
  const Json& excluded = document["execution"]["excluded"];
  ASSERT_EQ(excluded.size(), 1U) << excluded;
  EXPECT_EQ(document["runs"].get<int>() + excluded["invalid: clock_not_reached"].get<int>(), 31 * 196 * 3);
  EXPECT_LT(excluded["invalid: clock_not_reached"].get<int>(), 100);
}

void expect_mostly_host_time(const Json& document) {
  ASSERT_EQ(document["host_shares"].size(), 31U);
  for (const Json& share : document["host_shares"]) {
    const double host = share["host_seconds"], fast = share["gpu_seconds_fastest"];
    EXPECT_GT(host, 10 * fast) << share;
    EXPECT_GE(host, share["min_host_seconds"].get<double>()) << share;
  }
}

void expect_clock_matters_in_steady_work(const Json& document) {
  ASSERT_EQ(document["steady"]["networks"].size(), 31U);
  for (const Json& network : document["steady"]["networks"]) {
    EXPECT_GT(network["relative_time_max"].get<double>(), 4) << network["name"];
    EXPECT_LT(network["r_time_clock"]["estimate"].get<double>(), -0.8) << network["name"];
  }
}

void expect_four_conclusions(const Json& document) {
  ASSERT_EQ(document["execution"]["conclusions"].size(), 4U);
  const Json& shares = document["execution"]["variance"]["log_time"];
  EXPECT_GT(shares["network"].get<double>(), 0.9);
  EXPECT_LT(shares["clock"].get<double>(), 0.05);
}

// One test, because the study takes seconds.
TEST(Reproduce, V100s) {
  const auto ran = test::run_shell(ERGON_PROGRAMS "/ergon reproduce v100s --json -q");
  EXPECT_EQ(ran.exit_code, 3);
  const Json document = Json::parse(ran.out);
  EXPECT_EQ(document["schema"], "ergon.reproduce.v100s/3");
  expect_known_verdicts(document);
  expect_only_power_limited_runs_excluded(document);
  expect_mostly_host_time(document);
  expect_clock_matters_in_steady_work(document);
  expect_four_conclusions(document);
}

}  // namespace
}  // namespace ergon::reproduce
