// ergon reproduce thesis: with the bundled model, and with the measured tables if they are present.

#include <algorithm>
#include <filesystem>
#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/process.h"
#include "support/temporary_folder.h"

namespace ergon::app {
namespace {

using Json = nlohmann::json;

const std::filesystem::path kTables = std::filesystem::path(ERGON_REPOSITORY) / "../shared/data/gpu";

std::map<std::string, Json> by_id(const Json& document) {
  std::map<std::string, Json> claims;
  for (const Json& claim : document["claims"]) {
    claims[claim["id"]] = claim;
    EXPECT_FALSE(claim["paper"].get<std::string>().empty());
    EXPECT_FALSE(claim["obtained"].get<std::string>().empty());
    EXPECT_EQ(claim["source"].is_null(), claim["holds"].is_null()) << claim;
  }
  return claims;
}

bool all_hold(const Json& document) {
  const Json& claims = document["claims"];
  return std::all_of(claims.begin(), claims.end(), [](const Json& claim) {
    return claim["holds"].is_null() || claim["holds"].get<bool>();
  });
}

TEST(Reproduce, ThesisWithoutTables) {
  const test::TemporaryFolder folder;
  const auto ran =
      test::run_shell(ERGON_PROGRAMS "/ergon reproduce thesis --json -q", folder.path().string());
  const Json document = Json::parse(ran.out);
  EXPECT_EQ(ran.exit_code, all_hold(document) ? 0 : 3);
  EXPECT_TRUE(document["tables"].is_null());
  const auto claims = by_id(document);
  ASSERT_EQ(claims.size(), 19U);
  for (const auto& [id, claim] : claims) {
    const bool needs_tables = id.starts_with("operations_") || id.ends_with("_measured");
    EXPECT_EQ(claim["source"].is_null(), needs_tables) << claim;
    if (needs_tables) {
      EXPECT_EQ(claim["obtained"], "not checked: measured tables not found");
    }
  }
  for (const char* id : {"order_of_clocks_inference", "order_of_clocks_training",
                         "energy_least_at_900_inference", "energy_least_at_900_training", "latency"})
    EXPECT_TRUE(claims.at(id)["holds"].get<bool>()) << claims.at(id);
  EXPECT_EQ(document["clocks"].size(), 36U);
}

TEST(Reproduce, ThesisWithTables) {
  if (!std::filesystem::exists(kTables)) GTEST_SKIP() << "no ../shared/data/gpu beside the repository";
  // Two folds test that a model is learned; its accuracy needs all fifteen.
  const auto ran = test::run_shell(ERGON_PROGRAMS "/ergon reproduce thesis --json -q --folds 2 --data " +
                                   kTables.string());
  const Json document = Json::parse(ran.out);
  EXPECT_EQ(ran.exit_code, all_hold(document) ? 0 : 3);
  const auto claims = by_id(document);
  for (const char* id : {"order_of_devices_measured", "training_over_inference_measured"}) {
    EXPECT_EQ(claims.at(id)["source"], "measured");
    EXPECT_TRUE(claims.at(id)["exactly"].get<bool>()) << claims.at(id);
  }
  EXPECT_EQ(claims.at("operations_rtx2080ti_training_time")["obtained"], "not checked: 23 rows are public");
  if (!document.contains("operations")) GTEST_SKIP() << "built without XGBoost";
  ASSERT_EQ(document["operations"].size(), 8U);  // four kinds of rows, in folds and held out
  for (const Json& score : document["operations"]) {
    EXPECT_GT(score["power"]["r_squared"].get<double>(), 0.85) << score;
    EXPECT_LT(score["time"]["mape"].get<double>(), 0.25) << score;
  }
}

TEST(Reproduce, ThesisNamesTheFilesThatAFolderLacks) {
  const test::TemporaryFolder folder;
  const auto ran =
      test::run_shell(ERGON_PROGRAMS "/ergon reproduce thesis --data .", folder.path().string(), {}, true);
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.out.find("has neither a30_2080ti_operations.csv nor"), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace ergon::app
