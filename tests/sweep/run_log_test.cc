#include "sweep/run_log.h"

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "support/temporary_folder.h"
#include "sweep/run_csv.h"
#include "sweep/some_runs.h"

namespace ergon::sweep {
namespace {

using test::some_row;
using Json = nlohmann::ordered_json;

Json experiment(int batch = 8) {
  return {{"commit", "abc"}, {"experiment", {{"device", "D"}, {"batch", batch}}}};
}

class RunLogTest : public ::testing::Test {
 protected:
  std::string folder() const { return (space / "sweep").string(); }
  std::string file() const { return folder() + "/runs.csv"; }
  std::string refusal(bool resume, const Json& what = experiment()) {
    const auto log = RunLog::open(folder(), what, resume);
    return log ? "" : log.error().message;
  }

  ergon::test::TemporaryFolder space;
};

TEST_F(RunLogTest, StoresAppendedRuns) {
  {
    auto log = RunLog::open(folder(), experiment(), false).value();
    EXPECT_FALSE(log.holds(some_row(1).run));
    ASSERT_TRUE(log.append(some_row(1)));
    EXPECT_TRUE(log.holds(some_row(1).run));
    ASSERT_TRUE(log.append(some_row(2, 1000.0 / 3)));
    EXPECT_TRUE(log.holds(some_row(2, 1000.0 / 3).run));
    EXPECT_EQ(log.rows().size(), 2U);
  }
  const auto log = RunLog::open(folder(), experiment(), true).value();
  EXPECT_EQ(log.rows().size(), 2U);
  EXPECT_TRUE(log.holds(some_row(1).run));
  EXPECT_TRUE(log.holds(some_row(2, 1000.0 / 3).run));
  EXPECT_FALSE(log.holds(some_row(2).run));
  EXPECT_EQ(read_runs(folder())->size(), 2U);
}

TEST_F(RunLogTest, DescribesTheExperimentOnce) {
  { const auto log = RunLog::open(folder(), experiment(), false).value(); }
  const Json described = Json::parse(*read_file(folder() + "/sweep.json"));
  EXPECT_EQ(described, Json({{"schema", "ergon.sweep.folder/1"},
                             {"commit", "abc"},
                             {"experiment", {{"device", "D"}, {"batch", 8}}}}));
  Json newer = experiment();
  newer["commit"] = "def";
  { const auto log = RunLog::open(folder(), newer, true).value(); }
  EXPECT_EQ(Json::parse(*read_file(folder() + "/sweep.json")), described);
}

TEST_F(RunLogTest, RequiresResumeToContinue) {
  ASSERT_TRUE(RunLog::open(folder(), experiment(), false).value().append(some_row()));
  EXPECT_EQ(refusal(false), folder() + " already has runs; use --resume to continue");
  EXPECT_EQ(refusal(true), "");
  // Killed before the first line: there are no runs to mix.
  std::ofstream(file(), std::ios::trunc) << "device,sim";
  EXPECT_EQ(refusal(false), "");
}

TEST_F(RunLogTest, RejectsAnotherExperiment) {
  ASSERT_TRUE(RunLog::open(folder(), experiment(), false).value().append(some_row()));
  EXPECT_EQ(refusal(true, experiment(16)),
            folder() + " has another experiment: batch is 8 in the folder, 16 now");
  EXPECT_EQ(refusal(false, experiment(16)),
            folder() + " has another experiment: batch is 8 in the folder, 16 now");
  // Another version of Ergon continues the same experiment.
  Json newer = experiment();
  newer["commit"] = "def";
  EXPECT_EQ(refusal(true, newer), "");
}

TEST_F(RunLogTest, RejectsRunsWithoutADescription) {
  std::filesystem::create_directories(folder());
  std::ofstream(file()) << run_header();
  EXPECT_EQ(refusal(true), folder() + " has runs, but no sweep.json; choose another folder");
  // Also an incomplete line.
  std::ofstream(file(), std::ios::trunc) << "dear diary";
  EXPECT_EQ(refusal(true), folder() + " has runs, but no sweep.json; choose another folder");
  EXPECT_EQ(*read_file(file()), "dear diary");
  for (const char* const text :
       {"{}", "[]", "{", R"({"schema": "ergon.sweep.folder/1"})",
        R"({"schema": "ergon.sweep.folder/2", "experiment": {"device": "D", "batch": 8}})"}) {
    std::ofstream(folder() + "/sweep.json", std::ios::trunc) << text;
    EXPECT_EQ(refusal(true), folder() + "/sweep.json is not the description of a sweep") << text;
  }
  std::ofstream(folder() + "/sweep.json", std::ios::trunc)
      << R"({"schema": "ergon.sweep.folder/1", "experiment": {"device": )" << std::string(50'000, '[')
      << std::string(50'000, ']') << "}}";
  EXPECT_EQ(refusal(true), folder() + "/sweep.json is not the description of a sweep");
}

TEST_F(RunLogTest, ARejectedFolderStaysUnchanged) {
  std::filesystem::create_directories(folder());
  std::ofstream(folder() + "/sweep.json") << "{}";
  EXPECT_NE(refusal(false), "");
  EXPECT_FALSE(std::filesystem::exists(file()));
}

TEST_F(RunLogTest, OneProcessWritesAtATime) {
  const auto log = RunLog::open(folder(), experiment(), false).value();
  EXPECT_EQ(refusal(true), "another sweep is writing to " + folder());
}

// After truncation at any byte, complete runs are kept and later runs are readable.
TEST_F(RunLogTest, ContinuesAfterTruncationAtAnyByte) {
  std::string whole;
  {
    auto log = RunLog::open(folder(), experiment(), false).value();
    for (int i = 1; i <= 3; ++i) ASSERT_TRUE(log.append(some_row(i)));
    whole = *read_file(file());
  }
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    std::ofstream(file(), std::ios::trunc) << whole.substr(0, size);
    auto log = RunLog::open(folder(), experiment(), true);
    ASSERT_TRUE(log) << size << ": " << log.error().message;
    for (int i = 1; i <= 3; ++i) {
      if (log->holds(some_row(i).run)) continue;
      ASSERT_TRUE(log->append(some_row(i)));
    }
    EXPECT_EQ(*read_file(file()), whole) << size;
  }
}

TEST_F(RunLogTest, CanBeReadDuringWriting) {
  ASSERT_TRUE(RunLog::open(folder(), experiment(), false).value().append(some_row(1)));
  const std::string line = *run_line(some_row(2));
  std::ofstream(file(), std::ios::app) << line.substr(0, line.size() / 2);
  const auto rows = read_runs(folder());
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_EQ(rows->size(), 1U);
}

TEST_F(RunLogTest, ReportsAnInvalidLine) {
  {
    auto log = RunLog::open(folder(), experiment(), false).value();
    for (int i = 1; i <= 2; ++i) ASSERT_TRUE(log.append(some_row(i)));
  }
  std::string text = *read_file(file());
  text.replace(text.find(",true,"), 6, ",perhaps,");
  std::ofstream(file(), std::ios::trunc) << text;
  EXPECT_EQ(refusal(true), file() + ":2: simulated: expected true or false, not \"perhaps\"");
}

}  // namespace
}  // namespace ergon::sweep
