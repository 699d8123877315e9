#include "sweep/evaluation/evaluation.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "sweep/evaluation/noise.h"

namespace ergon::sweep {
namespace {

using namespace literals;

struct Sweep {
  int clocks = 20, repetitions = 3;
  double time_share = 0;  // of the time at the highest clock that follows the clock
  double noise = 0.01;
  bool maxima = true, means = true;
};

// A network as the paper found them: power with a knee at 1200 MHz; time that depends on the clock by
// `time_share`.
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

Answer::Number number(const Answer& answer, std::string_view name) {
  for (const auto& [key, value] : answer.numbers) {
    if (key == name) return value;
  }
  ADD_FAILURE() << "no " << name;
  return {};
}

TEST(Evaluation, SaysOfTheirNetworksWhatThePaperSays) {
  Observations observations;
  add(observations, "alexnet", 1, {.time_share = 0.05, .noise = 0.05}, 1);
  add(observations, "vgg16", 4, {.time_share = 0.0, .noise = 0.05}, 2);
  add(observations, "xception", 2, {.time_share = 0.0, .noise = 0.05}, 3);
  const Evaluation evaluation = evaluate(observations);
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
  ASSERT_EQ(evaluation.answers.size(), 4U);
  EXPECT_TRUE(evaluation.answers[0].text.starts_with("Repetitions agree. Time: 100 % of the points"))
      << evaluation.answers[0].text;
  EXPECT_NE(evaluation.answers[1].text.find("As in the paper"), std::string::npos)
      << evaluation.answers[1].text;
  EXPECT_TRUE(evaluation.answers[2].text.starts_with("Power rises with the clock"));
  EXPECT_TRUE(evaluation.answers[3].text.starts_with("For time it is the network"))
      << evaluation.answers[3].text;
  EXPECT_NE(evaluation.answers[3].text.find("For power it is the clock"), std::string::npos);
  EXPECT_EQ(number(evaluation.answers[2], "knees"), Answer::Number(std::int64_t{3}));
  EXPECT_EQ(number(evaluation.answers[3], "log_time_network"),
            Answer::Number(evaluation.variance.log_time->network));
}

TEST(Evaluation, SaysWhereThePapersAdviceDoesNotHold) {
  Observations observations;
  add(observations, "compute", 1, {.time_share = 1}, 1);
  const Evaluation evaluation = evaluate(observations);
  const Answer& answer = evaluation.answers[1];
  EXPECT_TRUE(answer.text.starts_with("Time follows the clock")) << answer.text;
  EXPECT_NE(answer.text.find("does not hold here: the network is"), std::string::npos) << answer.text;
  EXPECT_NEAR(evaluation.networks[0].relative_time_max, 3, 0.1);
  EXPECT_EQ(evaluation.networks[0].slowest_clock, 500_MHz);
  EXPECT_EQ(evaluation.time_bound_medians.networks, 1);
  EXPECT_NE(evaluation.answers[3].text.find("two networks"), std::string::npos);
}

TEST(Evaluation, MeansDeviationsAndRelativeTimesAreThoseOfTheRuns) {
  Observations observations;
  for (const double seconds : {1.0, 2.0, 3.0})
    observations.runs.push_back(
        {"a", "", "", 0, 900_MHz, Seconds{seconds}, 100_W, std::nullopt, std::nullopt});
  for (const double seconds : {1.0, 1.0})
    observations.runs.push_back({"a", "", "", 0, 1200_MHz, Seconds{seconds}, 150_W, 90_W, std::nullopt});
  const Evaluation evaluation = evaluate(observations);
  const auto& points = evaluation.networks[0].measured.points;
  ASSERT_EQ(points.size(), 2U);
  EXPECT_DOUBLE_EQ(points[0].time.mean.si(), 2);
  EXPECT_DOUBLE_EQ(points[0].time.deviation->si(), 1);
  EXPECT_DOUBLE_EQ(*points[0].time.cv, 0.5);
  EXPECT_DOUBLE_EQ(points[0].relative_time, 2);
  EXPECT_FALSE(points[0].energy);
  EXPECT_DOUBLE_EQ(points[1].energy->mean.si(), 90);
  EXPECT_DOUBLE_EQ(*evaluation.networks[0].cv_time_max, 0.5);
  EXPECT_EQ(number(evaluation.answers[0], "cv_time_max_clock_mhz"), Answer::Number(900.0));
  EXPECT_TRUE(evaluation.answers[0].text.starts_with("Repetitions do not agree"))
      << evaluation.answers[0].text;
}

TEST(Evaluation, OptimaAreThoseOfTheMeans) {
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

TEST(Evaluation, OneRepetitionIsNoErrorAndSaysWhatItLacks) {
  Observations observations;
  add(observations, "a", 1, {.repetitions = 1}, 1);
  add(observations, "b", 2, {.repetitions = 1}, 2);
  const Evaluation evaluation = evaluate(observations);
  EXPECT_FALSE(evaluation.networks[0].cv_time_max);
  EXPECT_TRUE(noted(evaluation.networks[0], "at least two"));
  EXPECT_NE(evaluation.answers[0].text.find("needs at least two repetitions"), std::string::npos);
  EXPECT_EQ(number(evaluation.answers[0], "cv_time_max"), Answer::Number());
  ASSERT_TRUE(evaluation.variance.log_time);
  EXPECT_FALSE(evaluation.variance.log_time->residual);
  EXPECT_TRUE(evaluation.networks[0].knee);
}

TEST(Evaluation, FewClocksGiveWhatTheyCan) {
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
  const Evaluation of_one = evaluate(one);
  EXPECT_EQ(of_one.answers.size(), 4U);
  EXPECT_FALSE(of_one.networks[0].energy);
  EXPECT_TRUE(noted(of_one.networks[0], "an optimum needs two"));
}

TEST(Evaluation, EnergyIsUnknownWithMaximaAlone) {
  Observations observations;
  add(observations, "a", 1, {.means = false}, 1);
  const Evaluation evaluation = evaluate(observations);
  EXPECT_FALSE(evaluation.networks[0].energy);
  EXPECT_FALSE(evaluation.networks[0].energy_saving);
  EXPECT_FALSE(evaluation.medians.best_energy_clock_mhz);
  EXPECT_TRUE(noted(evaluation.networks[0], "energy is unknown"));
  EXPECT_EQ(evaluation.answers[2].text.find("least energy"), std::string::npos);
}

TEST(Evaluation, ThePowerOfAllNetworksIsOfOneKind) {
  Observations observations;
  add(observations, "a", 1, {.maxima = false}, 1);
  EXPECT_EQ(evaluate(observations).power, PowerKind::mean);
  add(observations, "b", 1, {.clocks = 10}, 1);  // has both; every run has a mean
  const Evaluation evaluation = evaluate(observations);
  EXPECT_EQ(evaluation.power, PowerKind::mean);
  EXPECT_EQ(evaluation.networks[1].measured.without_power, 0);
}

TEST(Evaluation, ClocksOutsideAreLeftOutAndCounted) {
  Observations observations;
  add(observations, "a", 1, {.clocks = 11}, 1);  // 500, 600, ... 1500 MHz, three times
  EvaluationOptions options;
  options.from = 600_MHz;
  options.to = 1300_MHz;
  const Evaluation evaluation = evaluate(observations, options);
  EXPECT_EQ(evaluation.networks[0].measured.points.size(), 8U);
  EXPECT_EQ(evaluation.left_out.at("clock below 600 MHz"), 3);
  EXPECT_EQ(evaluation.left_out.at("clock above 1.3 GHz"), 6);
  EXPECT_EQ(evaluation.runs, 24);
}

TEST(Evaluation, GroupsAreToldApartByTheirTitles) {
  Observations observations;
  for (const std::int64_t batch : {1, 32}) {
    observations.runs.push_back({"a", "gpu", "steady", batch, 900_MHz, 1_s, 100_W, 90_W, std::nullopt});
    observations.runs.push_back({"a", "gpu", "steady", batch, 1200_MHz, 1_s, 100_W, 90_W, std::nullopt});
  }
  observations.runs.push_back({"b", "gpu", "steady", 1, 900_MHz, 1_s, 100_W, 90_W, std::nullopt});
  const Evaluation evaluation = evaluate(observations);
  ASSERT_EQ(evaluation.networks.size(), 3U);
  EXPECT_EQ(evaluation.networks[0].title, "a batch 1");
  EXPECT_EQ(evaluation.networks[1].title, "a batch 32");
  EXPECT_EQ(evaluation.networks[2].title, "b");
}

TEST(Evaluation, NothingGivesNothing) {
  const Evaluation evaluation = evaluate({});
  EXPECT_TRUE(evaluation.networks.empty());
  EXPECT_TRUE(evaluation.answers.empty());
}

TEST(Evaluation, NumbersThatDoNotVaryAreNotedAndNotComputed) {
  Observations observations;
  for (const double mhz : {500.0, 700.0, 900.0, 1100.0, 1300.0, 1500.0, 1600.0})
    observations.runs.push_back({"a", "", "", 0, Hertz{mhz * 1e6}, 1_s, 100_W, 90_W, std::nullopt});
  const NetworkEvaluation network = evaluate(observations).networks[0];
  EXPECT_FALSE(network.r_power_clock || network.r_time_clock || network.r_power_time || network.knee);
  EXPECT_TRUE(noted(network, "time does not vary"));
  EXPECT_TRUE(noted(network, "power does not vary"));
  EXPECT_EQ(network.energy->clock, Hertz{1600e6});  // of equal ones the fastest
}

}  // namespace
}  // namespace ergon::sweep
