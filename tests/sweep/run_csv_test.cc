#include "sweep/run_csv.h"

#include <limits>

#include <gtest/gtest.h>

#include "sweep/some_runs.h"

namespace ergon::sweep {
namespace {

using test::some_row;

TEST(RunCsv, HasTheDocumentedColumns) {
  EXPECT_EQ(run_header(),
            "device,simulated,network,batch,scenario,clock_requested_mhz,clock_observed_mhz,repetition,"
            "time_seconds,power_max_watts,power_mean_watts,energy_joules,energy_uncertainty_joules,"
            "temperature_celsius,event_reasons,valid,reasons,started_at\n");
  EXPECT_EQ(
      *run_line(some_row()),
      "NVIDIA H200 GPU-1,true,resnet50,8,steady,900,885,1,0.0123,250.5,200,2.46,0.05,41.5,power_cap;idle,"
      "false,clock_changed;too_short,2023-11-14T22:13:20Z\n");
}

TEST(RunCsv, ReadsBack) {
  const RunRow row = some_row(3);
  const auto back = parse_runs(run_header() + *run_line(row), "runs.csv").value().at(0);
  EXPECT_EQ(back.run, row.run);
  EXPECT_EQ(back.device, row.device);
  EXPECT_EQ(back.simulated, row.simulated);
  EXPECT_EQ(back.clock_observed, row.clock_observed);
  EXPECT_EQ(back.time, row.time);
  EXPECT_EQ(back.power_max, row.power_max);
  EXPECT_EQ(back.power_mean, row.power_mean);
  EXPECT_EQ(back.energy, row.energy);
  EXPECT_EQ(back.energy_uncertainty, row.energy_uncertainty);
  EXPECT_EQ(back.temperature, row.temperature);
  EXPECT_EQ(back.event_reasons, row.event_reasons);
  EXPECT_EQ(back.valid, row.valid);
  EXPECT_EQ(back.reasons, row.reasons);
  EXPECT_EQ(back.started_at, row.started_at);
}

TEST(RunCsv, UnknownValuesAreEmpty) {
  RunRow row;
  row.device = "D";
  row.run = {"n", 1, Scenario::execution, std::nullopt, 1};
  const std::string line = *run_line(row);
  EXPECT_EQ(line, "D,false,n,1,execution,,,1,,,,,,,,true,,1970-01-01T00:00:00Z\n");
  const auto back = parse_runs(run_header() + line, "").value().at(0);
  EXPECT_FALSE(back.run.clock || back.time || back.power_max || back.energy || back.temperature);
  EXPECT_EQ(back.run.scenario, Scenario::execution);
}

TEST(RunCsv, AClockIsReadBackExactly) {
  for (const double mhz : {1000.0 / 3, 142.5, 1597.0, 1234.567891234}) {
    const RunRow row = some_row(1, mhz);
    const auto back = parse_runs(run_header() + *run_line(row), "").value().at(0);
    EXPECT_EQ(back.run, as_written(row.run));
    EXPECT_EQ(as_written(back.run), back.run);
  }
}

TEST(RunCsv, NumbersKeepNineDigitsAndTextsTheirCommas) {
  RunRow row = some_row();
  row.time = Seconds{0.123456789};
  row.device = "The \"GPU\", of course";
  const auto back = parse_runs(run_header() + *run_line(row), "").value().at(0);
  EXPECT_EQ(back.time, row.time);
  EXPECT_EQ(back.device, row.device);
}

TEST(RunCsv, RejectsValuesThatCouldNotBeReadBack) {
  RunRow nameless = some_row(), empty = some_row(), zeroth = some_row(0);
  nameless.device = "";
  empty.run.batch = 0;
  RunRow negative = some_row(), infinite = some_row();
  negative.energy = Joules{-1};
  infinite.time = Seconds{std::numeric_limits<double>::infinity()};
  const std::pair<RunRow, std::string> cases[] = {
      {nameless, "device: expected a text, not \"\""},
      {empty, "batch: expected a whole number above 0, not \"0\""},
      {zeroth, "repetition: expected a whole number above 0, not \"0\""},
      {negative, "energy_joules: expected a number that is not negative, not \"-1\""},
      {infinite, "time_seconds: expected a number that is not negative, not \"inf\""}};
  for (const auto& [row, message] : cases) {
    const auto line = run_line(row);
    ASSERT_FALSE(line);
    EXPECT_EQ(line.error().kind, Errc::internal);
    EXPECT_NE(line.error().message.find(message), std::string::npos) << line.error().message;
  }
}

TEST(RunCsv, EveryColumnRejectsInvalidText) {
  const std::string line = *run_line(some_row());
  const std::tuple<std::string, std::string, std::string> cases[] = {
      {"NVIDIA H200 GPU-1,", ",", "device: expected a text, not \"\""},
      {",true,", ",yes,", "simulated: expected true or false, not \"yes\""},
      {",steady,", ",idle,", "scenario: expected steady or execution, not \"idle\""},
      {",900,", ",fast,", "clock_requested_mhz: expected a clock from 0 to 10000 MHz, not \"fast\""},
      {",900,", ",900000000,",
       "clock_requested_mhz: expected a clock from 0 to 10000 MHz, not \"900000000\""},
      {",250.5,", ",50000,", "power_max_watts: expected a power from 0 to 5000 W, not \"50000\""},
      {",200,", ",-1,", "power_mean_watts: expected a power from 0 to 5000 W, not \"-1\""},
      {",41.5,", ",314.5,",
       "temperature_celsius: expected a temperature from -40 to 150 degrees Celsius, not \"314.5\""},
      {",0.0123,", ",0.0123s,", "time_seconds: expected a number that is not negative, not \"0.0123s\""},
      {",41.5,", ",hot,",
       "temperature_celsius: expected a temperature from -40 to 150 degrees Celsius, not \"hot\""},
      {"2023-11-14T22:13:20Z", "today",
       "started_at: expected a time, for example 2026-05-04T10:00:00Z, not \"today\""}};
  for (const auto& [field, wrong, message] : cases) {
    std::string damaged = line;
    damaged.replace(damaged.find(field), field.size(), wrong);
    const auto rows = parse_runs(run_header() + damaged, "runs.csv");
    ASSERT_FALSE(rows) << damaged;
    EXPECT_EQ(rows.error().message, "runs.csv:2: " + message);
  }
}

TEST(RunCsv, ErrorsNameLineAndColumn) {
  const auto refusal = [](const std::string& text) { return parse_runs(text, "runs.csv").error().message; };
  EXPECT_EQ(refusal("device,simulated\n"), "runs.csv:1: column \"network\" is missing");
  std::string line = *run_line(some_row());
  line.replace(line.find(",8,"), 3, ",0,");
  EXPECT_EQ(refusal(run_header() + line), "runs.csv:2: batch: expected a whole number above 0, not \"0\"");
}

}  // namespace
}  // namespace ergon::sweep
