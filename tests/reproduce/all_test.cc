#include "reproduce/all.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/process.h"
#include "support/temporary_folder.h"

namespace ergon::reproduce {
namespace {

using Json = nlohmann::json;

std::vector<Reproduction> two_papers() {
  Reproduction first, second;
  first.paper = "first";
  first.title = "A paper (A. Author)";
  first.schema = "ergon.reproduce.first/1";
  first.claims = {{.where = "Fig. 1", .claim = "rises", .ours = "1", .verdict = Verdict::exactly},
                  {.where = "Fig. 2", .claim = "falls", .ours = "2", .verdict = Verdict::no}};
  second.paper = "second";
  second.title = "Another (B. Author)";
  second.simulated = false;
  second.claims = {not_checked({.where = "1.2", .claim = "counts"}, "no files"),
                   {.where = "1.3", .claim = "lasts", .ours = "3", .verdict = Verdict::approximately}};
  second.missing_data = {"second needs a.csv"};
  return {first, second};
}

TEST(ReproduceAll, PrintsALinePerClaimAndASummary) {
  EXPECT_EQ(all_text(two_papers(), {}),
            "first: A paper (A. Author), simulated\n"
            "\n"
            "where   claim  holds\n"
            "------  -----  -------\n"
            "Fig. 1  rises  exactly\n"
            "Fig. 2  falls  no\n"
            "\n"
            "second: Another (B. Author)\n"
            "\n"
            "where  claim   holds\n"
            "-----  ------  -------------\n"
            "1.2    counts  not checked\n"
            "1.3    lasts   approximately\n"
            "\n"
            "paper   claims  hold exactly  approximately  do not hold  not checked\n"
            "------  ------  ------------  -------------  -----------  -----------\n"
            "first        2             1              0            1            0\n"
            "second       2             0              1            0            1\n"
            "all          4             1              1            1            1\n");
}

TEST(ReproduceAll, DocumentHasThePapersWithCounts) {
  const Json document = Json::parse(all_json(two_papers()).dump());
  EXPECT_EQ(document["counts"],
            Json({{"claims", 4}, {"exactly", 1}, {"approximately", 1}, {"no", 1}, {"not_checked", 1}}));
  ASSERT_EQ(document["papers"].size(), 2U);
  EXPECT_EQ(document["papers"][0]["paper"], "first");
  EXPECT_EQ(document["papers"][0]["schema"], "ergon.reproduce.first/1");
  EXPECT_TRUE(document["papers"][0]["missing_data"].is_null());
  EXPECT_EQ(document["papers"][1]["missing_data"], "second needs a.csv");
  EXPECT_TRUE(document["papers"][1]["claims"][0]["holds"].is_null());
  EXPECT_EQ(document["papers"][1]["claims"][0]["ours"], "not checked: no files");
  EXPECT_EQ(document["papers"][1]["claims"][1]["holds"], "approximately");
}

// Without data, as outsiders see it first.
TEST(ReproduceAll, RunsAllPapersWithoutData) {
  const test::TemporaryFolder folder;
  const auto ran =
      test::run_shell(ERGON_PROGRAMS "/ergon reproduce all --json --data .", folder.path().string());
  EXPECT_EQ(ran.exit_code, 3) << ran.err;
  const Json document = Json::parse(ran.out);
  EXPECT_EQ(document["schema"], "ergon.reproduce.all/1");
  EXPECT_TRUE(document["provenance"]["simulated"].get<bool>());
  std::vector<std::string> names;
  for (const Json& paper : document["papers"]) names.push_back(paper["paper"]);
  EXPECT_EQ(names, (std::vector<std::string>{"v100s", "thesis", "batchsizer", "arada", "terascope"}));
  EXPECT_EQ(document["counts"]["claims"], 10 + 19 + 17 + 28 + 41);
  EXPECT_EQ(document["counts"]["not_checked"], 10 + 41);
  for (const char* part : {"v100s (1 of 5)", "terascope (5 of 5)", "thesis needs", "terascope needs"})
    EXPECT_NE(ran.err.find(part), std::string::npos) << ran.err;
}

// The data folder may have a folder per paper.
TEST(ReproduceAll, TakesFoldersOfPapers) {
  const auto tables = std::filesystem::path(ERGON_REPOSITORY) / "../shared/data/gpu";
  if (!std::filesystem::exists(tables)) GTEST_SKIP() << "no ../shared/data/gpu beside the repository";
  const test::TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "thesis");
  std::filesystem::copy_file(tables / "a30_2080ti_networks.csv",
                             folder.path() / "thesis" / "a30_2080ti_networks.csv");
  const auto ran =
      test::run_shell(ERGON_PROGRAMS "/ergon reproduce all --json -q --data .", folder.path().string());
  EXPECT_EQ(ran.exit_code, 3) << ran.err;
  EXPECT_EQ(Json::parse(ran.out)["counts"]["not_checked"], 8 + 41);
}

}  // namespace
}  // namespace ergon::reproduce
