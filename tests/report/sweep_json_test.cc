#include "report/sweep_json.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/si_prefixes.h"
#include "base/statistics/correlation.h"

namespace ergon::report {
namespace {

using namespace sweep;
using Json = nlohmann::ordered_json;

constexpr int kClocks = 8;  // 500 to 1200 MHz

double clock_mhz(int i) { return 500 + 100.0 * i; }
// 100 W at the lowest clock, and six times as steep beyond 900 MHz.
double power(double mhz) { return 50 + 0.1 * mhz + 0.5 * std::max(0.0, mhz - 900); }

// Two networks at the same clocks, twice each: the time of one follows the clock, that of the other does not
// change at all. Their means are round numbers, and one run is not valid.
Observations small_table() {
  Observations all;
  for (const bool follows : {true, false}) {
    for (int i = 0; i < kClocks; ++i) {
      const double mhz = clock_mhz(i), off = (mhz - 700) / 100;
      for (const double side : {-1.0, 1.0}) {
        Observation run;
        run.network = follows ? "follows" : "still";
        run.device = "D";
        run.scenario = "steady";
        run.batch = 8;
        run.clock = Hertz{mhz * kMega};
        run.time = Seconds{(follows ? 1200 / mhz : 2) * (1 + 0.01 * side)};
        run.power_max = Watts{power(mhz) + side};
        run.energy = Joules{100 + 10 * off * off};
        all.runs.push_back(run);
      }
    }
  }
  all.excluded["invalid: clock_changed"] = 1;
  all.simulated = true;
  return all;
}

// Finds a network by name.
Json network(const Json& document, std::string_view name) {
  for (const Json& one : document.at("networks")) {
    if (one.at("name") == name) return one;
  }
  ADD_FAILURE() << "no " << name;
  return {};
}

// JSON has no NaN: it would become an unintended null.
void expect_finite(const Json& json, const std::string& where = "") {
  if (json.is_number_float()) {
    EXPECT_TRUE(std::isfinite(json.get<double>())) << where;
  }
  if (!json.is_structured()) return;
  for (const auto& [key, value] : json.items()) expect_finite(value, where + "/" + key);
}

void expect_null(const Json& json, std::initializer_list<const char*> fields) {
  for (const char* const field : fields) {
    ASSERT_TRUE(json.contains(field)) << field;
    EXPECT_TRUE(json.at(field).is_null()) << field << ": " << json.at(field);
  }
}

TEST(SweepJson, MatchesASmallTableCalculatedByHand) {
  const Json json = sweep_evaluation_json(evaluate(small_table()));
  EXPECT_EQ(json.at("simulated"), true);
  EXPECT_EQ(json.at("power"), "max");
  EXPECT_EQ(json.at("runs"), 32);
  EXPECT_EQ(json.at("excluded"), Json({{"invalid: clock_changed", 1}}));
  ASSERT_EQ(json.at("networks").size(), 2U);
  expect_finite(json);

  const Json one = network(json, "follows");
  EXPECT_EQ(one.at("title"), "follows");
  EXPECT_EQ(one.at("device"), "D");
  EXPECT_EQ(one.at("batch"), 8);
  EXPECT_EQ(one.at("scenario"), "steady");
  EXPECT_EQ(one.at("power"), "max");
  EXPECT_EQ(one.at("energy"), "measured");
  EXPECT_EQ(one.at("runs"), 16);
  EXPECT_EQ(one.at("points"), kClocks);
  EXPECT_EQ(one.at("min_clock_mhz"), 500);
  EXPECT_EQ(one.at("max_clock_mhz"), 1200);
  EXPECT_NEAR(one.at("cv_time_max"), 0.01 * std::sqrt(2), 1e-12);
  EXPECT_NEAR(one.at("cv_power_max"), std::sqrt(2) / 100, 1e-12);
  EXPECT_NEAR(one.at("relative_time_max"), 2.4, 1e-12);
  EXPECT_EQ(one.at("slowest_clock_mhz"), 500);
  EXPECT_EQ(one.at("fastest_clock_mhz"), 1200);
  EXPECT_NEAR(one.at("knee_mhz"), 900, 1e-6);
  EXPECT_NEAR(one.at("knee_interval").at(0), 900, 1);
  EXPECT_NEAR(one.at("knee_interval").at(1), 900, 1);
  EXPECT_NEAR(one.at("knee").at("watts_per_mhz_below"), 0.1, 1e-9);
  EXPECT_NEAR(one.at("knee").at("watts_per_mhz_above"), 0.6, 1e-9);
  EXPECT_LT(one.at("knee").at("p"), 1e-6);
  EXPECT_EQ(one.at("best_energy_clock_mhz"), 700);
  EXPECT_EQ(one.at("best_edp_clock_mhz"), 800);
  // Energies do not scatter. Times do by 1.41 %, a mean of two by 1 %, a difference of means by 1.41 %: the
  // 171.4 Js at 700 MHz are 3.9 % more than the 165 Js at 800 MHz, which is beyond twice that.
  EXPECT_EQ(one.at("best_energy_interval_mhz"), Json::array({700, 700}));
  EXPECT_EQ(one.at("best_edp_interval_mhz"), Json::array({800, 800}));
  EXPECT_EQ(one.at("optimum_from"), "means");
  EXPECT_NEAR(one.at("energy_saving"), 1 - 100.0 / 350, 1e-12);
  EXPECT_NEAR(one.at("time_cost"), 1200.0 / 700 - 1, 1e-12);
  const Json& energy = one.at("neighbors").at("energy");
  EXPECT_EQ(energy.at("lower").at("clock_mhz"), 600);
  EXPECT_EQ(energy.at("higher").at("clock_mhz"), 800);
  EXPECT_NEAR(energy.at("higher").at("more"), 0.1, 1e-12);
  EXPECT_EQ(energy.at("within_one_percent_mhz"), Json::array({700, 700}));
  EXPECT_EQ(one.at("neighbors").at("edp").at("lower").at("clock_mhz"), 700);
  EXPECT_FALSE(one.contains("series"));
}

TEST(SweepJson, CorrelationsAreInTheirIntervals) {
  const Json one = network(sweep_evaluation_json(evaluate(small_table())), "follows");
  std::vector<double> clocks, powers, times;
  for (int i = 0; i < kClocks; ++i) {
    clocks.push_back(clock_mhz(i));
    powers.push_back(power(clock_mhz(i)));
    times.push_back(1200 / clock_mhz(i));
  }
  const std::tuple<const char*, std::vector<double>, std::vector<double>, double> expected[] = {
      {"r_power_clock", powers, clocks, 1},
      {"r_time_clock", times, clocks, -1},
      {"r_power_time", powers, times, -1}};
  for (const auto& [name, x, y, rank] : expected) {
    const Json& r = one.at(name);
    EXPECT_NEAR(r.at("estimate"), *statistics::pearson(x, y), 1e-9) << name;
    EXPECT_LE(r.at("low"), r.at("estimate")) << name;
    EXPECT_GE(r.at("high"), r.at("estimate")) << name;
    EXPECT_LT(r.at("low"), r.at("high")) << name;
    EXPECT_NEAR(r.at("spearman").at("estimate"), rank, 1e-12) << name;
    EXPECT_TRUE(r.at("spearman").contains("low") && r.at("spearman").contains("high")) << name;
  }
}

TEST(SweepJson, ConstantValuesHaveNoCorrelation) {
  const Json json = sweep_evaluation_json(evaluate(small_table()));
  const Json still = network(json, "still");
  expect_null(still, {"r_time_clock", "r_power_time"});
  EXPECT_EQ(still.at("relative_time_max"), 1);
  EXPECT_GT(still.at("r_power_clock").at("estimate"), 0.9);
  // Medians are of the networks that have the value.
  EXPECT_EQ(json.at("medians").at("networks"), 2);
  EXPECT_EQ(json.at("medians").at("r_time_clock"),
            network(json, "follows").at("r_time_clock").at("estimate"));
  EXPECT_NEAR(json.at("medians").at("relative_time_max"), 1.7, 1e-12);
  EXPECT_EQ(json.at("medians").at("best_energy_clock_mhz"), 700);
  EXPECT_EQ(json.at("time_bound_medians").at("networks"), 1);
  EXPECT_NEAR(json.at("time_bound_medians").at("relative_time_max"), 2.4, 1e-12);
}

TEST(SweepJson, VarianceSharesAddUp) {
  const Json variance = sweep_evaluation_json(evaluate(small_table())).at("variance");
  for (const char* const of : {"log_time", "log_power", "time", "power"}) {
    const Json& shares = variance.at(of);
    double sum = 0;
    for (const char* const part : {"network", "clock", "interaction", "residual"})
      sum += shares.at(part).get<double>();
    EXPECT_NEAR(sum, 1, 1e-12) << of;
    EXPECT_EQ(shares.at("networks"), 2) << of;
    EXPECT_EQ(shares.at("clocks"), kClocks) << of;
    EXPECT_EQ(shares.at("runs"), 32) << of;
    EXPECT_EQ(shares.at("networks_excluded"), 0) << of;
    EXPECT_EQ(shares.at("clocks_excluded"), 0) << of;
  }
  // Both networks draw the same, and repetitions are 1 W off: the residual is what is not the clock's.
  const Json& power = variance.at("power");
  EXPECT_NEAR(power.at("network"), 0, 1e-12);
  EXPECT_NEAR(power.at("residual").get<double>() * power.at("total_variance").get<double>(), 1, 1e-9);
  EXPECT_NEAR(power.at("clock").get<double>() + power.at("residual").get<double>(), 1, 1e-12);
  EXPECT_GT(variance.at("log_time").at("network"), 0.3);
}

TEST(SweepJson, HasFourConclusionsWithNumbers) {
  const Json conclusions = sweep_evaluation_json(evaluate(small_table())).at("conclusions");
  ASSERT_EQ(conclusions.size(), 4U);
  for (std::size_t i = 0; i < conclusions.size(); ++i) {
    EXPECT_EQ(conclusions[i].at("question"), i + 1);
    EXPECT_FALSE(conclusions[i].at("text").get<std::string>().empty());
    EXPECT_GT(conclusions[i].at("numbers").size(), 3U);
  }
  EXPECT_EQ(conclusions[1].at("numbers").at("networks"), 2);
  EXPECT_EQ(conclusions[1].at("numbers").at("relative_time_max_network"), "follows");
  EXPECT_NEAR(conclusions[2].at("numbers").at("knee_mhz_median"), 900, 1e-6);
}

TEST(SweepJson, TrendsAndSeriesCoverEveryClock) {
  const SweepEvaluation evaluation = evaluate(small_table(), {.trend = {.points = 5}});
  const Json one = network(sweep_evaluation_json(evaluation, true), "follows");
  for (const char* const of : {"time_seconds", "power_watts", "energy_joules"}) {
    const Json& trend = one.at("trends").at(of);
    for (const char* const column : {"clock_mhz", "fit", "low", "high"})
      EXPECT_EQ(trend.at(column).size(), 5U) << of << " " << column;
    EXPECT_EQ(trend.at("clock_mhz").front(), 500);
    EXPECT_EQ(trend.at("clock_mhz").back(), 1200);
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_LE(trend.at("low")[i], trend.at("fit")[i]) << of;
      EXPECT_GE(trend.at("high")[i], trend.at("fit")[i]) << of;
    }
  }
  ASSERT_EQ(one.at("series").size(), static_cast<std::size_t>(kClocks));
  for (int i = 0; i < kClocks; ++i) {
    const Json& point = one.at("series")[static_cast<std::size_t>(i)];
    const double time = 1200 / clock_mhz(i), joules = 100 + 10 * std::pow((clock_mhz(i) - 700) / 100, 2);
    EXPECT_EQ(point.at("clock_mhz"), clock_mhz(i));
    EXPECT_EQ(point.at("runs"), 2);
    EXPECT_NEAR(point.at("time_seconds").at("mean"), time, 1e-12);
    EXPECT_NEAR(point.at("time_seconds").at("deviation"), 0.01 * std::sqrt(2) * time, 1e-12);
    EXPECT_NEAR(point.at("relative_time"), time, 1e-12);
    EXPECT_NEAR(point.at("power_watts").at("mean"), power(clock_mhz(i)), 1e-9);
    EXPECT_NEAR(point.at("power_watts").at("deviation"), std::sqrt(2), 1e-9);
    EXPECT_NEAR(point.at("energy_joules").at("mean"), joules, 1e-9);
    EXPECT_NEAR(point.at("energy_delay_joule_seconds"), joules * time, 1e-9);
  }
}

// One run at one clock, without device and batch.
TEST(SweepJson, UnknownValuesAreNullWithNotes) {
  Observations single;
  single.runs.push_back({"a", "", "", 0, Hertz{900e6}, Seconds{1}, Watts{100}, std::nullopt, std::nullopt});
  const Json json = sweep_evaluation_json(evaluate(single), true);
  expect_finite(json);
  const Json& one = json.at("networks").at(0);
  expect_null(one, {"device", "batch", "scenario", "energy", "cv_time_max", "cv_power_max", "r_power_clock",
                    "r_time_clock", "r_power_time", "knee_mhz", "knee_interval", "knee",
                    "best_energy_clock_mhz", "best_energy_interval_mhz", "best_edp_clock_mhz",
                    "best_edp_interval_mhz", "optimum_from", "energy_saving", "time_cost"});
  expect_null(one.at("neighbors"), {"energy", "edp"});
  expect_null(one.at("trends"), {"time_seconds", "power_watts", "energy_joules"});
  EXPECT_GE(one.at("notes").size(), 4U);
  EXPECT_EQ(one.at("relative_time_max"), 1);
  const Json& point = one.at("series").at(0);
  expect_null(point, {"energy_joules", "energy_delay_joule_seconds"});
  expect_null(point.at("time_seconds"), {"deviation", "cv"});
  expect_null(json.at("variance"), {"log_time", "log_power", "time", "power"});
  EXPECT_FALSE(json.at("variance").at("notes").empty());
  expect_null(json.at("medians"), {"best_energy_clock_mhz", "best_edp_clock_mhz", "knee_mhz", "energy_saving",
                                   "time_cost", "r_power_clock", "r_time_clock", "r_power_time"});
  EXPECT_EQ(json.at("time_bound_medians").at("networks"), 0);
  expect_null(json.at("time_bound_medians"), {"relative_time_max"});
  expect_null(json.at("conclusions").at(0).at("numbers"), {"cv_time_max", "cv_time_max_network"});
  EXPECT_EQ(json.at("simulated"), false);
}

TEST(SweepJson, FewClocksHaveACorrelationWithoutAnInterval) {
  Observations few = small_table();
  std::erase_if(few.runs, [](const Observation& run) { return run.clock > Hertz{700e6}; });
  const Json json = sweep_evaluation_json(evaluate(few));
  expect_finite(json);
  const Json one = network(json, "follows");
  ASSERT_FALSE(one.at("r_power_clock").is_null());
  expect_null(one.at("r_power_clock"), {"low", "high"});
  expect_null(one, {"knee_mhz", "knee_interval", "knee"});
}

// Energies of two runs are 16 % apart: the optimum is that of a trend, and more than one clock may be it.
TEST(SweepJson, WithScatteredRepetitionsTheOptimumIsFromATrend) {
  Observations scattered = small_table();
  double side = 1;
  for (Observation& run : scattered.runs) {
    *run.energy *= 1 + 0.08 * side;
    side = -side;
  }
  const Json one = network(sweep_evaluation_json(evaluate(scattered)), "follows");
  EXPECT_EQ(one.at("optimum_from"), "trend");
  EXPECT_EQ(one.at("best_energy_interval_mhz").size(), 2U);
  EXPECT_LE(one.at("best_energy_interval_mhz").at(0), one.at("best_energy_clock_mhz"));
  EXPECT_GE(one.at("best_energy_interval_mhz").at(1), one.at("best_energy_clock_mhz"));
}

TEST(SweepJson, WithoutRepetitionsAnOptimumHasNoInterval) {
  Observations single = small_table();
  std::erase_if(single.runs, [](const Observation& run) {
    return run.power_max != Watts{power(run.clock.si() / kMega) + 1};
  });
  const Json one = network(sweep_evaluation_json(evaluate(single)), "follows");
  EXPECT_EQ(one.at("best_energy_clock_mhz"), 700);
  expect_null(one, {"best_energy_interval_mhz", "best_edp_interval_mhz"});
  EXPECT_EQ(one.at("optimum_from"), "means");
}

// Minimum energy at an end of the clocks: there is no neighbor beyond.
TEST(SweepJson, AnOptimumAtAnEndHasOneNeighbor) {
  Observations ends = small_table();
  std::erase_if(ends.runs, [](const Observation& run) { return run.clock < Hertz{700e6}; });
  const Json energy = network(sweep_evaluation_json(evaluate(ends)), "follows").at("neighbors").at("energy");
  EXPECT_TRUE(energy.at("lower").is_null());
  EXPECT_EQ(energy.at("higher").at("clock_mhz"), 800);
}

TEST(SweepJson, AnEmptyTableGivesADocument) {
  Observations none;
  none.excluded = {{"invalid: clock_refused", 2}, {"no clock", 1}};
  const Json json = sweep_evaluation_json(evaluate(none));
  EXPECT_EQ(json.at("runs"), 0);
  EXPECT_EQ(json.at("networks"), Json::array());
  EXPECT_EQ(json.at("conclusions"), Json::array());
  EXPECT_EQ(json.at("excluded"), Json({{"invalid: clock_refused", 2}, {"no clock", 1}}));
  expect_null(json.at("variance"), {"log_time", "log_power", "time", "power"});
  expect_finite(json);
}

}  // namespace
}  // namespace ergon::report
