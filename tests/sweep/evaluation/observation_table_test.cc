#include "sweep/evaluation/observation_table.h"

#include <gtest/gtest.h>

#include "base/units.h"
#include "sweep/evaluation/observations.h"
#include "sweep/run_csv.h"
#include "table/csv/read.h"

namespace ergon::sweep {
namespace {

using namespace literals;

Result<Observations> read(std::string_view text, const std::vector<std::string>& mappings = {}) {
  const auto csv = table::parse_csv(text, "text");
  if (!csv) return csv.error();
  return observations_of(csv->table, mappings);
}

TEST(ObservationTable, ReadsForeignColumns) {
  const auto all = read("app,size,f,t,P\nfft,10,900,20,150\nfft,9,900,30,160\n",
                        {"network=app+size", "clock=f", "time=t:ms", "power=P"});
  ASSERT_TRUE(all) << all.error().message;
  ASSERT_EQ(all->runs.size(), 2U);
  EXPECT_EQ(all->runs[0].network, "fft 10");
  EXPECT_EQ(all->runs[0].clock, 900_MHz);
  EXPECT_DOUBLE_EQ(all->runs[0].time.si(), 0.02);
  EXPECT_EQ(all->runs[0].power_mean, 150_W);
  EXPECT_FALSE(all->runs[0].power_max);
}

TEST(ObservationTable, ExcludesAndCountsUnusableRuns) {
  const auto all = read(
      "network,clock,time,power,valid,reasons\n"
      "a,900,1,100,true,\n"
      "a,900,1,100,false,clock_changed;throttled\n"
      "a,900,1,100,false,clock_changed;throttled\n"
      "a,900,1,100,FALSE,\n"
      "a,,1,100,true,\n"
      "a,900,,100,true,\n"
      "a,900,1,,true,\n"
      ",900,1,100,true,\n"
      "a,900,0,100,true,\n"
      "a,900,1,-5,true,\n"
      "a,900,1,50000,true,\n"
      "a,1e300,1,5,true,\n"
      "a,10001,1,5,true,\n");
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_EQ(all->runs.size(), 1U);
  const std::map<std::string, std::int64_t> expected{{"invalid: clock_changed;throttled", 2},
                                                     {"invalid", 1},
                                                     {"no clock", 1},
                                                     {"no time", 1},
                                                     {"no power", 1},
                                                     {"no network", 1},
                                                     {"impossible time", 1},
                                                     {"impossible power", 2},
                                                     {"impossible clock", 2}};
  EXPECT_EQ(all->excluded, expected);
}

TEST(ObservationTable, AnInvalidNumberExcludesItsRowOnly) {
  const auto all = read(
      "network,clock,time,power,energy,batch\n"
      "a,900,1.5,100,3,8\n"
      "a,900,inf,100,3,8\n"
      "a,900,-nan,100,3,8\n"
      "a,900,nan,100,3,8\n"
      "a,fast,1,100,3,8\n"
      "a,900,1,100 W,3,8\n"
      "a,900,1,100,?,8\n"
      "a,900,1,100,3,many\n"
      "a, 1200 ,2.5,150,N/A,16\n");
  ASSERT_TRUE(all) << all.error().message;
  const std::map<std::string, std::int64_t> expected{
      {"time is not a number", 2},   {"no time", 1},
      {"clock is not a number", 1},  {"power is not a number", 1},
      {"energy is not a number", 1}, {"batch is not a number", 1}};
  EXPECT_EQ(all->excluded, expected);
  ASSERT_EQ(all->runs.size(), 2U);
  EXPECT_EQ(all->runs[0].clock, 900_MHz);
  EXPECT_EQ(all->runs[0].energy, 3_J);
  EXPECT_EQ(all->runs[1].clock, 1200_MHz);
  EXPECT_EQ(all->runs[1].batch, 16);
  EXPECT_FALSE(all->runs[1].energy);
}

TEST(ObservationTable, SomeRunsOrAllAreSimulated) {
  const auto some = read("network,clock,time,power,simulated\na,900,1,9,true\na,900,1,9,false\n");
  EXPECT_TRUE(some->simulated && !some->all_simulated);
  const auto turned = read("network,clock,time,power,simulated\na,900,1,9,false\na,900,1,9,true\n");
  EXPECT_TRUE(turned->simulated && !turned->all_simulated);
  const auto all = read("network,clock,time,power,simulated\na,900,1,9,true\na,900,1,9,true\n");
  EXPECT_TRUE(all->simulated && all->all_simulated);
  const auto none = read("network,clock,time,power\na,900,1,9\n");
  EXPECT_FALSE(none->simulated || none->all_simulated);
}

TEST(ObservationTable, TheObservedClockReplacesAMissingRequest) {
  const auto all =
      read("network,clock_requested_mhz,clock_observed_mhz,time,power\na,900,885,1,9\na,,1200,1,9\n");
  ASSERT_TRUE(all);
  EXPECT_EQ(all->runs[0].clock, 900_MHz);
  EXPECT_EQ(all->runs[1].clock, 1200_MHz);
}

TEST(ObservationTable, ReportsErrorsOfAFile) {
  const auto words = read("network,clock,time,power\na,fast,1,9\n");
  ASSERT_FALSE(words);
  EXPECT_NE(words.error().message.find("\"clock\""), std::string::npos) << words.error().message;
  EXPECT_NE(words.error().message.find("row 1 has \"fast\""), std::string::npos) << words.error().message;
  const auto none = read("network,clock,time,power,valid\na,900,1,9,false\n");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("invalid (1)"), std::string::npos) << none.error().message;
  EXPECT_FALSE(read("x,y\n1,2\n"));
}

RunRow row(const std::string& network, std::optional<Hertz> clock, double seconds) {
  RunRow one;
  one.run = {network, 4, Scenario::execution, clock, 1};
  one.device = "NVIDIA V100S, second";
  one.simulated = true;
  one.clock_observed = 1005_MHz;
  one.time = Seconds{seconds};
  one.power_max = 180_W;
  one.power_mean = 150_W;
  one.energy = Joules{150 * seconds};
  return one;
}

TEST(ObservationTable, RowsInMemoryEqualThoseOfAFile) {
  std::vector<RunRow> rows{row("resnet50", 1200_MHz, 0.25), row("alexnet", std::nullopt, 0.5),
                           row("alexnet", 900_MHz, 0.125), row("vgg16", 900_MHz, 1)};
  rows[3].valid = false;
  rows[3].reasons = {"clock_changed", "throttled"};
  rows[1].power_mean.reset();
  rows[1].energy.reset();
  std::string text = run_header();
  for (const RunRow& one : rows) {
    const auto line = run_line(one);
    ASSERT_TRUE(line) << line.error().message;
    text += *line;
  }
  const auto from_file = read(text);
  ASSERT_TRUE(from_file) << from_file.error().message;
  const Observations from_memory = observations_of(rows);
  EXPECT_EQ(from_file->runs, from_memory.runs);
  EXPECT_EQ(from_file->excluded, from_memory.excluded);
  EXPECT_TRUE(from_file->simulated);
  ASSERT_EQ(from_memory.runs.size(), 3U);
  EXPECT_EQ(from_memory.runs[0].network, "alexnet");
  EXPECT_EQ(from_memory.runs[0].batch, 4);
  EXPECT_EQ(from_memory.runs[0].scenario, "execution");
  EXPECT_EQ(from_memory.runs[1].clock, 1005_MHz);
  EXPECT_EQ(from_memory.excluded.at("invalid: clock_changed;throttled"), 1);
}

}  // namespace
}  // namespace ergon::sweep
