#include "sweep/evaluation/evaluation.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sweep/evaluation/noise.h"

namespace ergon::sweep {
namespace {

using namespace literals;

struct Sweep {
  int clocks = 20, repetitions = 3;
  double time_share = 0;  // share of the time at the highest clock that depends on the clock
  double noise = 0.01;
  bool maxima = true, means = true;
};

// A network as in the paper: a power knee at 1200 MHz; `time_share` of the time depends on the clock.
void add(Observations& to, const std::string& network, double size, const Sweep& sweep, std::uint64_t seed) {
  Noise noise(seed);
  for (int i = 0; i < sweep.clocks; ++i) {
    const double mhz = 500 + 1000.0 * i / std::max(1, sweep.clocks - 1);
    for (int k = 0; k < sweep.repetitions; ++k) {
      Observation run;
      run.network = network;
      run.clock = Hertz{mhz * 1e6};
      run.time = Seconds{size * (1 - sweep.time_share + sweep.time_share * 1500 / mhz) *
                         (1 + sweep.noise * noise())};
      const double power = (50 + 0.03 * mhz + 0.25 * std::max(0.0, mhz - 1200)) * (1 + sweep.noise * noise());
      if (sweep.maxima) run.power_max = Watts{power};
      if (sweep.means) run.power_mean = Watts{0.8 * power};
      to.runs.push_back(run);
    }
  }
}

bool noted(const NetworkEvaluation& network, std::string_view part) {
  return std::any_of(network.notes.begin(), network.notes.end(),
                     [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

Conclusion::Number number(const Conclusion& conclusion, std::string_view name) {
  for (const auto& [key, value] : conclusion.numbers) {
    if (key == name) return value;
  }
  ADD_FAILURE() << "no " << name;
  return {};
}

TEST(SweepEvaluation, ConfirmsThePaperForItsNetworks) {
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
  ASSERT_EQ(evaluation.conclusions.size(), 4U);
  EXPECT_TRUE(
      evaluation.conclusions[0].text.starts_with("Repetitions agree. Time: all 60 points have a cv below"))
      << evaluation.conclusions[0].text;
  EXPECT_NE(evaluation.conclusions[1].text.find("As in the paper"), std::string::npos)
      << evaluation.conclusions[1].text;
  EXPECT_TRUE(evaluation.conclusions[2].text.starts_with("Power increases with the clock"));
  EXPECT_TRUE(evaluation.conclusions[3].text.starts_with("For time, the network matters more"))
      << evaluation.conclusions[3].text;
  EXPECT_NE(evaluation.conclusions[3].text.find("For power, the clock matters more"), std::string::npos);
  EXPECT_EQ(number(evaluation.conclusions[2], "knees"), Conclusion::Number(std::int64_t{3}));
  EXPECT_EQ(number(evaluation.conclusions[3], "log_time_network"),
            Conclusion::Number(evaluation.variance.log_time->network));
}

TEST(SweepEvaluation, ReportsWhereThePapersAdviceDoesNotHold) {
  Observations observations;
  add(observations, "compute", 1, {.time_share = 1}, 1);
  const SweepEvaluation evaluation = evaluate(observations);
  const Conclusion& conclusion = evaluation.conclusions[1];
  EXPECT_TRUE(conclusion.text.starts_with("Time decreases with the clock")) << conclusion.text;
  EXPECT_NE(conclusion.text.find("does not hold here: the network is"), std::string::npos) << conclusion.text;
  EXPECT_NEAR(evaluation.networks[0].relative_time_max, 3, 0.1);
  EXPECT_EQ(evaluation.networks[0].slowest_clock, 500_MHz);
  EXPECT_EQ(evaluation.time_bound_medians.networks, 1);
  EXPECT_NE(evaluation.conclusions[3].text.find("two networks"), std::string::npos);
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
  const Conclusion& conclusion = evaluation.conclusions[1];
  EXPECT_TRUE(conclusion.text.starts_with("Time decreases with the clock: the rank correlation is -1.00;"))
      << conclusion.text;
  EXPECT_EQ(number(conclusion, "networks_spearman_at_most_-0.8"), Conclusion::Number(std::int64_t{1}));
}

TEST(SweepEvaluation, ReportsTheStrongestCorrelationOfTime) {
  Observations observations;
  add(observations, "a", 1, {.time_share = 1}, 1);
  add(observations, "b", 1, {.time_share = 0.01}, 2);
  const std::string text = evaluate(observations).conclusions[1].text;
  EXPECT_NE(text.find("strongest -1.00 (a), -0.8 or less for 1 of 2"), std::string::npos) << text;
}

TEST(SweepEvaluation, ReportsTheBestClockOfNetworksThatFollowTheClock) {
  Observations observations;
  add(observations, "bound", 1, {.time_share = 1, .noise = 0}, 1);
  add(observations, "still", 1, {.time_share = 0, .noise = 0}, 2);
  add(observations, "waits", 1, {.time_share = 0, .noise = 0}, 3);
  const SweepEvaluation evaluation = evaluate(observations);
  ASSERT_EQ(evaluation.time_bound_medians.networks, 1);
  const double bound = *evaluation.time_bound_medians.best_energy_clock_mhz;
  const Conclusion& conclusion = evaluation.conclusions[2];
  EXPECT_NE(
      conclusion.text.find(fmt::format("is 500 MHz (median), {:.0f} MHz for the network whose time depends "
                                       "on the clock: ",
                                       bound)),
      std::string::npos)
      << conclusion.text;
  EXPECT_EQ(number(conclusion, "best_energy_clock_mhz_median_time_bound"), Conclusion::Number(bound));
  Observations alone;
  add(alone, "bound", 1, {.time_share = 1}, 1);
  EXPECT_EQ(evaluate(alone).conclusions[2].text.find("whose time"), std::string::npos);
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

TEST(SweepEvaluation, RepetitionsThatScatterAreCountedInPoints) {
  Observations observations;
  const auto runs = [&](Hertz clock, double apart) {
    for (const double side : {-1.0, 1.0})
      observations.runs.push_back(
          {"a", "", "", 0, clock, Seconds{1 + apart * side}, 100_W, 90_W, std::nullopt});
  };
  for (int i = 0; i < 1100; ++i) runs(Hertz{5e8 + 1e6 * i}, 0.01);
  EXPECT_TRUE(
      evaluate(observations, {.trend = {.points = 2}})
          .conclusions[0]
          .text.starts_with("Repetitions agree. Time: all 1,100 points have a cv below 0.2; the maximum is "
                            "0.0141 (a at "));
  runs(2000_MHz, 0.15);
  const std::string text = evaluate(observations, {.trend = {.points = 2}}).conclusions[0].text;
  EXPECT_TRUE(
      text.starts_with("Repetitions agree. Time: 1,100 of 1,101 points have a cv below 0.2; the "
                       "maximum is 0.212 (a at 2000 MHz). Power: all 1,101 points"))
      << text;
}

TEST(SweepEvaluation, FewClocksGiveUnknownConclusions) {
  Observations five, one, some;
  add(five, "a", 1, {.clocks = 5}, 1);
  const SweepEvaluation of_five = evaluate(five);
  EXPECT_NE(of_five.conclusions[2].text.find("Knee: unknown"), std::string::npos)
      << of_five.conclusions[2].text;
  EXPECT_EQ(of_five.conclusions[2].text.find("There is no knee"), std::string::npos);
  add(one, "a", 1, {.clocks = 1}, 1);
  EXPECT_EQ(evaluate(one).conclusions[1].text, "Unknown: needs at least two clocks.");
  add(some, "a", 1, {.clocks = 5}, 1);
  add(some, "b", 1, {}, 2);
  const std::string text = evaluate(some).conclusions[2].text;
  EXPECT_NE(text.find("one has too few clocks"), std::string::npos) << text;
}

TEST(SweepEvaluation, SimilarSharesMatterEqually) {
  const auto shares = [](double ratio) {
    Observations observations;
    for (const double size : {1.0, ratio}) {
      for (const double slower : {1.0, 2.0})
        observations.runs.push_back({size == 1 ? "a" : "b", "", "", 0, Hertz{1.5e9 / slower},
                                     Seconds{size * slower}, 100_W, 90_W, std::nullopt});
    }
    return evaluate(observations).conclusions[3].text;
  };
  EXPECT_TRUE(shares(2.1).starts_with("For time, network and clock matter about equally: of the variance"))
      << shares(2.1);
  EXPECT_TRUE(shares(4).starts_with("For time, the network matters more")) << shares(4);
  EXPECT_TRUE(shares(1.3).starts_with("For time, the clock matters more")) << shares(1.3);
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
  EXPECT_EQ(number(evaluation.conclusions[0], "cv_time_max_clock_mhz"), Conclusion::Number(900.0));
  EXPECT_TRUE(evaluation.conclusions[0].text.starts_with("Repetitions do not agree"))
      << evaluation.conclusions[0].text;
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
  EXPECT_NE(evaluation.conclusions[0].text.find("needs at least two repetitions"), std::string::npos);
  EXPECT_EQ(number(evaluation.conclusions[0], "cv_time_max"), Conclusion::Number());
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
  EXPECT_EQ(of_one.conclusions.size(), 4U);
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
  EXPECT_EQ(evaluation.conclusions[2].text.find("minimum energy"), std::string::npos);
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
  EXPECT_TRUE(evaluation.conclusions.empty());
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
