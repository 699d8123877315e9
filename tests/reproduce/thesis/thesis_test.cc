// ergon reproduce thesis: with the bundled model, and with the measured tables if they are present.

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/process.h"
#include "support/temporary_folder.h"

namespace ergon::reproduce {
namespace {

using Json = nlohmann::json;

const std::filesystem::path kTables = std::filesystem::path(ERGON_REPOSITORY) / "../shared/data/gpu";

std::map<std::string, Json> by_id(const Json& document) {
  std::map<std::string, Json> claims;
  for (const Json& claim : document["claims"]) {
    claims[claim["id"]] = claim;
    EXPECT_FALSE(claim["paper"].get<std::string>().empty());
    EXPECT_FALSE(claim["ours"].get<std::string>().empty());
    EXPECT_EQ(claim["source"].is_null(), claim["holds"].is_null()) << claim;
  }
  return claims;
}

// With the bundled model, the energy-delay product of training is lowest at 1200 MHz for 13 of 18 networks.
const std::set<std::string> kNotReproduced{"energy_delay_least_at_1200_training"};

// The claim "latency" compares our prediction time with the thesis's. The thread sanitizer makes it ten times
// longer.
#ifdef __SANITIZE_THREAD__
constexpr bool kTimed = false;
#else
constexpr bool kTimed = true;
#endif

// All other claims that were checked hold. The exit code says that one does not.
void expect_verdicts(const std::map<std::string, Json>& claims, int exit_code) {
  for (const auto& [id, claim] : claims) {
    if (!claim["holds"].is_null() && (kTimed || id != "latency")) {
      EXPECT_EQ(claim["holds"] == "no", kNotReproduced.contains(id)) << claim;
    }
  }
  for (const std::string& id : kNotReproduced) EXPECT_FALSE(claims.at(id)["holds"].is_null()) << id;
  EXPECT_EQ(exit_code, 3);
}

TEST(Reproduce, ThesisWithoutTables) {
  const test::TemporaryFolder folder;
  const auto ran =
      test::run_shell(ERGON_PROGRAMS "/ergon reproduce thesis --json -q", folder.path().string());
  const Json document = Json::parse(ran.out);
  EXPECT_EQ(document["schema"], "ergon.reproduce.thesis/3");
  EXPECT_TRUE(document["tables"].is_null());
  const auto claims = by_id(document);
  expect_verdicts(claims, ran.exit_code);
  ASSERT_EQ(claims.size(), 19U);
  for (const auto& [id, claim] : claims) {
    const bool needs_tables = id.starts_with("operations_") || id.ends_with("_measured");
    EXPECT_EQ(claim["source"].is_null(), needs_tables) << claim;
    if (needs_tables) {
      EXPECT_EQ(claim["ours"], "not checked: measured tables not found");
    }
  }
  EXPECT_EQ(document["clocks"].size(), 36U);
}

TEST(Reproduce, ThesisWithTables) {
  if (!std::filesystem::exists(kTables)) GTEST_SKIP() << "no ../shared/data/gpu beside the repository";
  // Two folds test that a model is learned; its accuracy needs all fifteen.
  const auto ran = test::run_shell(ERGON_PROGRAMS "/ergon reproduce thesis --json -q --folds 2 --data " +
                                   kTables.string());
  const Json document = Json::parse(ran.out);
  const auto claims = by_id(document);
  expect_verdicts(claims, ran.exit_code);
  for (const char* id : {"order_of_devices_measured", "training_over_inference_measured"}) {
    EXPECT_EQ(claims.at(id)["source"], "measured");
    EXPECT_EQ(claims.at(id)["holds"], "exactly") << claims.at(id);
  }
  EXPECT_EQ(claims.at("operations_rtx2080ti_training_time")["ours"], "not checked: 23 rows are public");
  if (!document.contains("operations")) GTEST_SKIP() << "built without XGBoost";
  ASSERT_EQ(document["operations"].size(), 8U);  // four kinds of rows, in folds and held out
  for (const Json& score : document["operations"]) {
    EXPECT_GT(score["power"]["r_squared"].get<double>(), 0.85) << score;
    EXPECT_LT(score["time"]["mape"].get<double>(), 0.25) << score;
  }
}

TEST(Reproduce, ThesisSaysWhereTheTablesAre) {
  const test::TemporaryFolder folder;
  const auto ran = test::run_shell(ERGON_PROGRAMS "/ergon reproduce thesis --claims", folder.path().string());
  for (const char* part :
       {"a30_2080ti_operations.csv (sha256 d1f3b1ed", "a30_2080ti_networks.csv (sha256 4bd3d0f6",
        "https://github.com/ConstantinNicolai/ml-operator-profiling", "--data"})
    EXPECT_NE(test::unwrapped(ran.err).find(part), std::string::npos) << ran.err;
  EXPECT_NE(ran.out.find("not checked"), std::string::npos);
}

// A table that was revised is used, with a note.
TEST(Reproduce, ThesisNotesATableWithAnotherChecksum) {
  if (!std::filesystem::exists(kTables)) GTEST_SKIP() << "no ../shared/data/gpu beside the repository";
  const test::TemporaryFolder folder;
  const std::string name = "a30_2080ti_networks.csv";
  std::filesystem::copy_file(kTables / name, folder.path() / name);
  const std::string command =
      ERGON_PROGRAMS "/ergon reproduce thesis --claims --data " + folder.path().string();
  const auto same = test::run_shell(command);
  EXPECT_EQ(test::unwrapped(same.err).find("documented results"), std::string::npos) << same.err;
  EXPECT_NE(test::unwrapped(same.err).find("a30_2080ti_operations.csv (sha256"), std::string::npos)
      << same.err;
  test::run_shell("echo >> " + (folder.path() / name).string());
  const auto revised = test::run_shell(command);
  EXPECT_NE(test::unwrapped(revised.err).find(name + ": not the file of the documented results (sha256 "),
            std::string::npos)
      << revised.err;
  EXPECT_EQ(revised.exit_code, same.exit_code);
}

TEST(Reproduce, ThesisNamesTheFilesThatAFolderLacks) {
  const test::TemporaryFolder folder;
  const auto ran =
      test::run_shell(ERGON_PROGRAMS "/ergon reproduce thesis --data .", folder.path().string(), {}, true);
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.out.find("has neither a30_2080ti_operations.csv nor"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("https://github.com/"), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace ergon::reproduce
