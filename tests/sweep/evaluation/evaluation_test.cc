#include "sweep/evaluation/evaluation.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sweep/evaluation/noise.h"
#include "sweep/evaluation/some_sweep.h"

namespace ergon::sweep {
namespace {

using namespace literals;

bool noted(const NetworkEvaluation& network, std::string_view part) {
  return std::any_of(network.notes.begin(), network.notes.end(),
                     [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

TEST(SweepEvaluation, FindsKneesAndSavingsOfThePaper) {
  Observations observations;
  add(observations, "alexnet", 1, {.time_share = 0.05, .noise = 0.05}, 1);
  add(observations, "vgg16", 4, {.time_share = 0.0, .noise = 0.05}, 2);
  add(observations, "xception", 2, {.time_share = 0.0, .noise = 0.05}, 3);
  const SweepEvaluation evaluation = evaluate(observations);
  ASSERT_EQ(evaluation.networks.size(), 3U);
  EXPECT_EQ(evaluation.power, PowerKind::maximum);
  for (const NetworkEvaluation& network : evaluation.networks) {
    ASSERT_TRUE(network.knee) << network.title;
    EXPECT_NEAR(network.knee->at, 1200, 60);
    EXPECT_LE(network.knee->low, 1210);
    EXPECT_GE(network.knee->high, 1190);
    ASSERT_TRUE(network.r_power_clock && network.cv_time_max && network.energy_saving);
    EXPECT_GT(network.r_power_clock->pearson.estimate, 0.8);
    EXPECT_LT(*network.cv_time_max, 0.2);
    EXPECT_LT(network.relative_time_max, 1.5);
    EXPECT_GT(*network.energy_saving, 0.4);
    EXPECT_EQ(network.time_trend.size(), 25U);
  }
}

TEST(SweepEvaluation, ReportsTheSlowestClock) {
  Observations observations;
  add(observations, "compute", 1, {.time_share = 1}, 1);
  const SweepEvaluation evaluation = evaluate(observations);
  EXPECT_NEAR(evaluation.networks[0].relative_time_max, 3, 0.1);
  EXPECT_EQ(evaluation.networks[0].slowest_clock, 500_MHz);
  EXPECT_EQ(evaluation.time_bound_medians.networks, 1);
}

// Over a wide range of clocks Pearson's correlation of c / f with f is weaker than -0.8.
TEST(SweepEvaluation, TimeInverseToTheClockFollowsTheClock) {
  Observations observations;
  for (int i = 0; i < 20; ++i) {
    const double mhz = 135 + (1597 - 135) * i / 19.0;
    observations.runs.push_back(
        {"a", "", "", 0, Hertz{mhz * 1e6}, Seconds{1000 / mhz}, Watts{50 + 0.1 * mhz}, 90_W, std::nullopt});
  }
  const SweepEvaluation evaluation = evaluate(observations);
  const NetworkEvaluation& network = evaluation.networks[0];
  EXPECT_GT(network.r_time_clock->pearson.estimate, -0.8);
  EXPECT_NEAR(network.r_time_clock->spearman.estimate, -1, 1e-12);
  EXPECT_TRUE(follows_clock(network));
  EXPECT_EQ(evaluation.time_bound_medians.networks, 1);
}

// Runs of one network at the highest clocks may be excluded because of a power cap.
TEST(SweepEvaluation, SavingsAreRelativeToTheHighestClockOfTheNetwork) {
  Observations observations;
  add(observations, "capped", 1, {.time_share = 1}, 1);
  add(observations, "whole", 1, {.time_share = 1}, 2);
  std::erase_if(observations.runs,
                [](const Observation& run) { return run.network == "capped" && run.clock > 1300_MHz; });
  const SweepEvaluation evaluation = evaluate(observations);
  const double highest = evaluation.networks[0].measured.points.back().clock.si() / 1e6;
  EXPECT_TRUE(noted(evaluation.networks[0], "savings are relative to 1289.47"));
  EXPECT_TRUE(noted(evaluation.networks[0], "(others: 1500 MHz)")) << highest;
  EXPECT_FALSE(noted(evaluation.networks[1], "savings are relative to"));
  // Clocks of another device do not count.
  for (Observation& run : observations.runs) run.device = run.network;
  EXPECT_FALSE(noted(evaluate(observations).networks[0], "savings are relative to"));
}

// 20 clocks, three runs each; minimum energy at 1026 MHz.
NetworkEvaluation scattered(double noise_share, std::uint64_t seed, int clocks = 20) {
  Observations observations;
  Noise noise(seed);
  for (int i = 0; i < clocks; ++i) {
    const double mhz = 500 + 1000.0 * i / (clocks - 1);
    for (int k = 0; k < 3; ++k) {
      Observation run;
      run.network = "a";
      run.clock = Hertz{mhz * 1e6};
      run.time = Seconds{1000 / mhz};
      run.power_max = Watts{100 + 0.1 * mhz};
      run.energy = Joules{100 * (1 + std::pow((mhz - 1026) / 900, 2)) * (1 + noise_share * noise())};
      observations.runs.push_back(run);
    }
  }
  EvaluationOptions options;
  options.association.resamples = 10;
  options.threads = 1;
  return evaluate(observations, options).networks[0];
}

TEST(SweepEvaluation, RepetitionsThatAgreeGiveTheOptimumOfTheMeans) {
  const NetworkEvaluation calm = scattered(0.005, 1);
  EXPECT_EQ(calm.optimum_from, OptimumFrom::means);
  ASSERT_TRUE(calm.energy->interval && calm.energy_delay->interval);
  EXPECT_LE(calm.energy->interval->low, calm.energy->flat_low);
  EXPECT_GE(calm.energy->interval->high, calm.energy->flat_high);
  EXPECT_FALSE(noted(calm, "standard error of mean energies"));
  const auto& points = calm.measured.points;
  const auto best = std::min_element(points.begin(), points.end(), [](const auto& a, const auto& b) {
    return a.energy->mean < b.energy->mean;
  });
  EXPECT_EQ(calm.energy->clock, best->clock);
}

TEST(SweepEvaluation, WithScatteredRepetitionsTheOptimumIsFromTheTrend) {
  double off_means = 0, off_trend = 0, off_saving = 0;
  int covered = 0;
  constexpr int kRounds = 200;
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    const NetworkEvaluation network = scattered(0.06, round);
    ASSERT_EQ(network.optimum_from, OptimumFrom::trend);
    ASSERT_TRUE(network.energy && network.energy->interval && network.energy_saving && network.time_cost);
    EXPECT_TRUE(noted(network, "from LOESS trends"));
    const auto& points = network.measured.points;
    const auto of_means = std::min_element(points.begin(), points.end(), [](const auto& a, const auto& b) {
      return a.energy->mean < b.energy->mean;
    });
    off_means += std::pow(of_means->clock.si() / 1e6 - 1026, 2) / kRounds;
    off_trend += std::pow(network.energy->clock.si() / 1e6 - 1026, 2) / kRounds;
    off_saving += (*network.energy_saving - 0.217) / kRounds;  // 1 - 1 / (1 + (474 / 900)^2)
    EXPECT_NEAR(*network.time_cost, 1500e6 / network.energy->clock.si() - 1, 0.02);
    covered += network.energy->interval->low <= 1027_MHz && 1026_MHz <= network.energy->interval->high;
  }
  EXPECT_LT(std::sqrt(off_trend), 0.7 * std::sqrt(off_means));
  EXPECT_NEAR(off_saving, 0, 0.01);
  EXPECT_GT(covered, kRounds * 0.95);
}

TEST(SweepEvaluation, WithoutATrendTheOptimumIsNotedAsUncertain) {
  const NetworkEvaluation few = scattered(0.06, 1, 4);
  EXPECT_EQ(few.optimum_from, OptimumFrom::means);
  EXPECT_TRUE(noted(few, "too few clocks for a trend"));
}

TEST(SweepEvaluation, WithOneRepetitionTheOptimumHasNoInterval) {
  Observations observations;
  add(observations, "a", 1, {.repetitions = 1}, 1);
  const NetworkEvaluation network = evaluate(observations).networks[0];
  ASSERT_TRUE(network.energy);
  EXPECT_FALSE(network.energy->interval);
  EXPECT_EQ(network.optimum_from, OptimumFrom::means);
}

TEST(SweepEvaluation, MeansDeviationsAndRelativeTimesAreThoseOfTheRuns) {
  Observations observations;
  for (const double seconds : {1.0, 2.0, 3.0})
    observations.runs.push_back(
        {"a", "", "", 0, 900_MHz, Seconds{seconds}, 100_W, std::nullopt, std::nullopt});
  for (const double seconds : {1.0, 1.0})
    observations.runs.push_back({"a", "", "", 0, 1200_MHz, Seconds{seconds}, 150_W, 90_W, std::nullopt});
  const SweepEvaluation evaluation = evaluate(observations);
  const auto& points = evaluation.networks[0].measured.points;
  ASSERT_EQ(points.size(), 2U);
  EXPECT_DOUBLE_EQ(points[0].time.mean.si(), 2);
  EXPECT_DOUBLE_EQ(points[0].time.deviation->si(), 1);
  EXPECT_DOUBLE_EQ(*points[0].time.cv, 0.5);
  EXPECT_DOUBLE_EQ(points[0].relative_time, 2);
  EXPECT_FALSE(points[0].energy);
  EXPECT_DOUBLE_EQ(points[1].energy->mean.si(), 90);
  EXPECT_DOUBLE_EQ(*evaluation.networks[0].cv_time_max, 0.5);
}

TEST(SweepEvaluation, OptimaAreThoseOfTheMeans) {
  Observations observations;
  const auto run = [&](Hertz clock, double seconds, double watts) {
    observations.runs.push_back(
        {"a", "", "", 0, clock, Seconds{seconds}, std::nullopt, Watts{watts}, std::nullopt});
  };
  run(800_MHz, 2.0, 60);    // 120 J, 240 Js
  run(1000_MHz, 1.5, 70);   // 105 J, 157.5 Js
  run(1200_MHz, 1.2, 90);   // 108 J, 129.6 Js
  run(1400_MHz, 1.1, 140);  // 154 J, 169.4 Js
  const NetworkEvaluation network = evaluate(observations).networks[0];
  EXPECT_EQ(network.energy->clock, 1000_MHz);
  EXPECT_NEAR(network.energy->lower->more, 120.0 / 105 - 1, 1e-12);
  EXPECT_NEAR(network.energy->higher->more, 108.0 / 105 - 1, 1e-12);
  EXPECT_EQ(network.energy_delay->clock, 1200_MHz);
  EXPECT_NEAR(*network.energy_saving, 1 - 105.0 / 154, 1e-12);
  EXPECT_NEAR(*network.time_cost, 1.5 / 1.1 - 1, 1e-12);
  EXPECT_EQ(network.measured.energy_source, EnergySource::mean_power_times_time);
}

TEST(SweepEvaluation, OneRepetitionIsNoted) {
  Observations observations;
  add(observations, "a", 1, {.repetitions = 1}, 1);
  add(observations, "b", 2, {.repetitions = 1}, 2);
  const SweepEvaluation evaluation = evaluate(observations);
  EXPECT_FALSE(evaluation.networks[0].cv_time_max);
  EXPECT_TRUE(noted(evaluation.networks[0], "at least two"));
  ASSERT_TRUE(evaluation.variance.log_time);
  EXPECT_FALSE(evaluation.variance.log_time->residual);
  EXPECT_TRUE(evaluation.networks[0].knee);
}

TEST(SweepEvaluation, FewClocksGivePartialResults) {
  Observations two, four, one;
  add(two, "a", 1, {.clocks = 2}, 1);
  add(four, "a", 1, {.clocks = 4}, 1);
  add(one, "a", 1, {.clocks = 1}, 1);
  const NetworkEvaluation of_two = evaluate(two).networks[0];
  EXPECT_FALSE(of_two.r_time_clock);
  EXPECT_FALSE(of_two.knee);
  EXPECT_TRUE(of_two.time_trend.empty());
  EXPECT_TRUE(of_two.energy);
  EXPECT_TRUE(noted(of_two, "correlations need 3"));
  EXPECT_TRUE(noted(of_two, "a knee needs 6"));
  const NetworkEvaluation of_four = evaluate(four).networks[0];
  ASSERT_TRUE(of_four.r_time_clock);
  EXPECT_FALSE(of_four.r_time_clock->pearson.low);
  EXPECT_TRUE(noted(of_four, "intervals of correlations need 5"));
  const SweepEvaluation of_one = evaluate(one);
  EXPECT_FALSE(of_one.networks[0].energy);
  EXPECT_TRUE(noted(of_one.networks[0], "an optimum needs two"));
}

TEST(SweepEvaluation, EnergyIsUnknownWithMaximaAlone) {
  Observations observations;
  add(observations, "a", 1, {.means = false}, 1);
  const SweepEvaluation evaluation = evaluate(observations);
  EXPECT_FALSE(evaluation.networks[0].energy);
  EXPECT_FALSE(evaluation.networks[0].energy_saving);
  EXPECT_FALSE(evaluation.medians.best_energy_clock_mhz);
  EXPECT_TRUE(noted(evaluation.networks[0], "energy is unknown"));
}

TEST(SweepEvaluation, ThePowerOfAllNetworksIsOfOneKind) {
  Observations observations;
  add(observations, "a", 1, {.maxima = false}, 1);
  EXPECT_EQ(evaluate(observations).power, PowerKind::mean);
  add(observations, "b", 1, {.clocks = 10}, 1);  // has both; every run has a mean
  const SweepEvaluation evaluation = evaluate(observations);
  EXPECT_EQ(evaluation.power, PowerKind::mean);
  EXPECT_EQ(evaluation.networks[1].measured.without_power, 0);
}

TEST(SweepEvaluation, ClocksOutsideTheRangeAreExcludedAndCounted) {
  Observations observations;
  add(observations, "a", 1, {.clocks = 11}, 1);  // 500, 600, ... 1500 MHz, three times
  EvaluationOptions options;
  options.min_clock = 600_MHz;
  options.max_clock = 1300_MHz;
  const SweepEvaluation evaluation = evaluate(observations, options);
  EXPECT_EQ(evaluation.networks[0].measured.points.size(), 8U);
  EXPECT_EQ(evaluation.excluded.at("clock below 600 MHz"), 3);
  EXPECT_EQ(evaluation.excluded.at("clock above 1.3 GHz"), 6);
  EXPECT_EQ(evaluation.runs, 24);
}

TEST(SweepEvaluation, TitlesAreUnique) {
  Observations observations;
  for (const std::int64_t batch : {1, 32}) {
    observations.runs.push_back({"a", "gpu", "steady", batch, 900_MHz, 1_s, 100_W, 90_W, std::nullopt});
    observations.runs.push_back({"a", "gpu", "steady", batch, 1200_MHz, 1_s, 100_W, 90_W, std::nullopt});
  }
  observations.runs.push_back({"b", "gpu", "steady", 1, 900_MHz, 1_s, 100_W, 90_W, std::nullopt});
  const SweepEvaluation evaluation = evaluate(observations);
  ASSERT_EQ(evaluation.networks.size(), 3U);
  EXPECT_EQ(evaluation.networks[0].title, "a batch 1");
  EXPECT_EQ(evaluation.networks[1].title, "a batch 32");
  EXPECT_EQ(evaluation.networks[2].title, "b");
}

TEST(SweepEvaluation, AnEmptyTableGivesAnEmptyEvaluation) {
  const SweepEvaluation evaluation = evaluate({});
  EXPECT_TRUE(evaluation.networks.empty());
}

TEST(SweepEvaluation, ConstantValuesAreNoted) {
  Observations observations;
  for (const double mhz : {500.0, 700.0, 900.0, 1100.0, 1300.0, 1500.0, 1600.0})
    observations.runs.push_back({"a", "", "", 0, Hertz{mhz * 1e6}, 1_s, 100_W, 90_W, std::nullopt});
  const NetworkEvaluation network = evaluate(observations).networks[0];
  EXPECT_FALSE(network.r_power_clock || network.r_time_clock || network.r_power_time || network.knee);
  EXPECT_TRUE(noted(network, "time is constant"));
  EXPECT_TRUE(noted(network, "power is constant"));
  EXPECT_EQ(network.energy->clock, Hertz{1600e6});  // the fastest of equal ones
}

}  // namespace
}  // namespace ergon::sweep
