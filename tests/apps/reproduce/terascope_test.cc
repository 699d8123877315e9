// The study's files, if present: every printed number is reproduced to its last digit.

#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/process.h"
#include "support/temporary_folder.h"

namespace ergon::app {
namespace {

TEST(ReproduceTeraScope, ReproducesEveryPrintedNumber) {
  const std::string folder = std::string(ERGON_REPOSITORY) + "/../shared/data/fleet";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "without ../shared/data/fleet";
  const test::TemporaryFolder elsewhere;
  const auto run = test::run_shell(ERGON_PROGRAMS "/ergon reproduce terascope --json -q --data " + folder,
                                   elsewhere.path().string());
  EXPECT_EQ(run.exit_code, 3) << run.err;  // not all of its conclusions hold
  const auto json = nlohmann::json::parse(run.out);
  std::size_t figures = 0;
  for (const auto& claim : json["claims"]) {
    const std::string where = claim["where"], text = claim["claim"];
    const bool printed =
        where.starts_with("Table") || where.starts_with("Figure") || where == "1.3.1" || where == "2.3.1";
    if (!printed) continue;
    ++figures;
    EXPECT_EQ(claim["holds"], "exactly") << text << ": " << claim["paper"] << ", here " << claim["ours"];
  }
  EXPECT_EQ(figures, 31U);

  const auto& counted = json["duplicates_counted"];
  const auto& removed = json["duplicates_removed"];
  EXPECT_EQ(counted["counts"]["duplicates"], 2470);
  EXPECT_EQ(counted["counts"]["unpaired"], 0);
  EXPECT_EQ(removed["counts"]["paired"], 328965);
  const auto& energy = removed["energy"];
  const double total = energy["total_joules"],
               parts = energy["attributed_joules"].get<double>() + energy["idle_joules"].get<double>();
  EXPECT_NEAR(parts, total, 1e-9 * total);
  // References from pandas, in integer milliseconds: trapezoid over all samples, and mean power of events.
  EXPECT_NEAR(total, 276440307.9216, 1e-6 * total);
  for (const auto& event : removed["events"]) {
    if (event["name"] != "Render") continue;
    EXPECT_NEAR(event["interval"]["power_watts"], 95.783423, 1e-5);
    EXPECT_NEAR(event["interval"]["utilization"], 71.359456, 1e-5);
    EXPECT_NEAR(event["interval"]["energy_joules"], 3999.344312, 1e-4);
    EXPECT_NEAR(event["duration_ms"]["p99"], 53976.40, 0.01);
  }
}

TEST(ReproduceTeraScope, NamesAMissingFile) {
  const test::TemporaryFolder elsewhere;
  const auto run = test::run_shell(ERGON_PROGRAMS "/ergon reproduce terascope -q", elsewhere.path().string());
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_NE(run.err.find("application-checkpoints.csv"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace ergon::app
