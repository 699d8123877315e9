#include "report/sweep_conclusions.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sweep/evaluation/some_sweep.h"

namespace ergon::report {
namespace {

using namespace literals;
using sweep::add;
using sweep::Observations;
using sweep::SweepEvaluation;

std::vector<Conclusion> concluded(const Observations& observations,
                                  const sweep::EvaluationOptions& options = {}) {
  return conclusions_of(sweep::evaluate(observations, options));
}

Conclusion::Number number_in(const Conclusion& conclusion, std::string_view name) {
  for (const auto& [key, value] : conclusion.numbers) {
    if (key == name) return value;
  }
  ADD_FAILURE() << "no " << name;
  return {};
}

TEST(SweepConclusions, ConfirmThePaperForItsNetworks) {
  Observations observations;
  add(observations, "alexnet", 1, {.time_share = 0.05, .noise = 0.05}, 1);
  add(observations, "vgg16", 4, {.time_share = 0.0, .noise = 0.05}, 2);
  add(observations, "xception", 2, {.time_share = 0.0, .noise = 0.05}, 3);
  const SweepEvaluation evaluation = sweep::evaluate(observations);
  const auto conclusions = conclusions_of(evaluation);
  ASSERT_EQ(conclusions.size(), 4U);
  EXPECT_TRUE(conclusions[0].text.starts_with("Repetitions agree. Time: all 60 points have a cv below"))
      << conclusions[0].text;
  EXPECT_NE(conclusions[1].text.find("As in the paper"), std::string::npos) << conclusions[1].text;
  EXPECT_TRUE(conclusions[2].text.starts_with("Power increases with the clock"));
  EXPECT_TRUE(conclusions[3].text.starts_with("For time, the network matters more")) << conclusions[3].text;
  EXPECT_NE(conclusions[3].text.find("For power, the clock matters more"), std::string::npos);
  EXPECT_EQ(number_in(conclusions[2], "knees"), Conclusion::Number(std::int64_t{3}));
  EXPECT_EQ(number_in(conclusions[3], "log_time_network"),
            Conclusion::Number(evaluation.variance.log_time->network));
}

TEST(SweepConclusions, CallEqualRepetitionsEqual) {
  Observations observations;
  add(observations, "resnet50", 1, {.time_share = 0.05, .noise = 0}, 1);
  // Differences of time stamps round differently from run to run.
  for (std::size_t i = 0; i < observations.runs.size(); i += 2)
    observations.runs[i].time = observations.runs[i].time * (1 + 2.2e-16);
  const auto conclusions = concluded(observations);
  EXPECT_TRUE(conclusions[0].text.starts_with("Repetitions are exactly equal. Time: all "))
      << conclusions[0].text;
  EXPECT_EQ(conclusions[0].text.find("e-"), std::string::npos) << conclusions[0].text;
  EXPECT_EQ(number_in(conclusions[0], "cv_time_max"), Conclusion::Number(0.0));
}

TEST(SweepConclusions, SayWhereThePapersAdviceDoesNotHold) {
  Observations observations;
  add(observations, "compute", 1, {.time_share = 1}, 1);
  const auto conclusions = concluded(observations);
  EXPECT_TRUE(conclusions[1].text.starts_with("Time decreases with the clock")) << conclusions[1].text;
  EXPECT_NE(conclusions[1].text.find("does not hold here: the network is"), std::string::npos)
      << conclusions[1].text;
  EXPECT_NE(conclusions[3].text.find("two networks"), std::string::npos);
}

TEST(SweepConclusions, TimeInverseToTheClockDecreasesWithIt) {
  Observations observations;
  for (int i = 0; i < 20; ++i) {
    const double mhz = 135 + (1597 - 135) * i / 19.0;
    observations.runs.push_back(
        {"a", "", "", 0, Hertz{mhz * 1e6}, Seconds{1000 / mhz}, Watts{50 + 0.1 * mhz}, 90_W, std::nullopt});
  }
  const Conclusion conclusion = concluded(observations)[1];
  EXPECT_TRUE(conclusion.text.starts_with("Time decreases with the clock: the rank correlation is -1.00;"))
      << conclusion.text;
  EXPECT_EQ(number_in(conclusion, "networks_spearman_at_most_-0.8"), Conclusion::Number(std::int64_t{1}));
}

TEST(SweepConclusions, NameTheStrongestCorrelationOfTime) {
  Observations observations;
  add(observations, "a", 1, {.time_share = 1}, 1);
  add(observations, "b", 1, {.time_share = 0.01}, 2);
  const std::string text = concluded(observations)[1].text;
  EXPECT_NE(text.find("strongest -1.00 (a), -0.8 or less for 1 of 2"), std::string::npos) << text;
}

TEST(SweepConclusions, NameTheBestClockOfNetworksThatFollowTheClock) {
  Observations observations;
  add(observations, "bound", 1, {.time_share = 1, .noise = 0}, 1);
  add(observations, "still", 1, {.time_share = 0, .noise = 0}, 2);
  add(observations, "waits", 1, {.time_share = 0, .noise = 0}, 3);
  const SweepEvaluation evaluation = sweep::evaluate(observations);
  ASSERT_EQ(evaluation.time_bound_medians.networks, 1);
  const double bound = *evaluation.time_bound_medians.best_energy_clock_mhz;
  const Conclusion conclusion = conclusions_of(evaluation)[2];
  EXPECT_NE(
      conclusion.text.find(fmt::format("is 500 MHz (median), {:.0f} MHz for the network whose time depends "
                                       "on the clock: ",
                                       bound)),
      std::string::npos)
      << conclusion.text;
  EXPECT_EQ(number_in(conclusion, "best_energy_clock_mhz_median_time_bound"), Conclusion::Number(bound));
  Observations alone;
  add(alone, "bound", 1, {.time_share = 1}, 1);
  EXPECT_EQ(concluded(alone)[2].text.find("whose time"), std::string::npos);
}

TEST(SweepConclusions, CountPointsWhoseRepetitionsScatter) {
  Observations observations;
  const auto runs = [&](Hertz clock, double apart) {
    for (const double side : {-1.0, 1.0})
      observations.runs.push_back(
          {"a", "", "", 0, clock, Seconds{1 + apart * side}, 100_W, 90_W, std::nullopt});
  };
  const sweep::EvaluationOptions options{.trend = {.points = 2}};
  for (int i = 0; i < 1100; ++i) runs(Hertz{5e8 + 1e6 * i}, 0.01);
  EXPECT_TRUE(concluded(observations, options)[0].text.starts_with(
      "Repetitions agree. Time: all 1,100 points have a cv below 0.2; the maximum is 0.0141 (a at "));
  runs(2000_MHz, 0.15);
  const std::string text = concluded(observations, options)[0].text;
  EXPECT_TRUE(
      text.starts_with("Repetitions agree. Time: 1,100 of 1,101 points have a cv below 0.2; the "
                       "maximum is 0.212 (a at 2000 MHz). Power: all 1,101 points"))
      << text;
}

TEST(SweepConclusions, AreUnknownWithFewClocks) {
  Observations five, one, some;
  add(five, "a", 1, {.clocks = 5}, 1);
  const std::string of_five = concluded(five)[2].text;
  EXPECT_NE(of_five.find("Knee: unknown"), std::string::npos) << of_five;
  EXPECT_EQ(of_five.find("There is no knee"), std::string::npos);
  add(one, "a", 1, {.clocks = 1}, 1);
  const auto of_one = concluded(one);
  ASSERT_EQ(of_one.size(), 4U);
  EXPECT_EQ(of_one[1].text, "Unknown: needs at least two clocks.");
  add(some, "a", 1, {.clocks = 5}, 1);
  add(some, "b", 1, {}, 2);
  const std::string text = concluded(some)[2].text;
  EXPECT_NE(text.find("one has too few clocks"), std::string::npos) << text;
}

TEST(SweepConclusions, SimilarSharesMatterEqually) {
  const auto shares = [](double ratio) {
    Observations observations;
    for (const double size : {1.0, ratio}) {
      for (const double slower : {1.0, 2.0})
        observations.runs.push_back({size == 1 ? "a" : "b", "", "", 0, Hertz{1.5e9 / slower},
                                     Seconds{size * slower}, 100_W, 90_W, std::nullopt});
    }
    return concluded(observations)[3].text;
  };
  EXPECT_TRUE(shares(2.1).starts_with("For time, network and clock matter about equally: of the variance"))
      << shares(2.1);
  EXPECT_TRUE(shares(4).starts_with("For time, the network matters more")) << shares(4);
  EXPECT_TRUE(shares(1.3).starts_with("For time, the clock matters more")) << shares(1.3);
}

TEST(SweepConclusions, NameThePointWithTheLargestScatter) {
  Observations observations;
  for (const double seconds : {1.0, 2.0, 3.0})
    observations.runs.push_back(
        {"a", "", "", 0, 900_MHz, Seconds{seconds}, 100_W, std::nullopt, std::nullopt});
  for (const double seconds : {1.0, 1.0})
    observations.runs.push_back({"a", "", "", 0, 1200_MHz, Seconds{seconds}, 150_W, 90_W, std::nullopt});
  const Conclusion conclusion = concluded(observations)[0];
  EXPECT_EQ(number_in(conclusion, "cv_time_max_clock_mhz"), Conclusion::Number(900.0));
  EXPECT_TRUE(conclusion.text.starts_with("Repetitions do not agree")) << conclusion.text;
}

TEST(SweepConclusions, NeedTwoRepetitionsForTheCv) {
  Observations observations;
  add(observations, "a", 1, {.repetitions = 1}, 1);
  add(observations, "b", 2, {.repetitions = 1}, 2);
  const Conclusion conclusion = concluded(observations)[0];
  EXPECT_NE(conclusion.text.find("needs at least two repetitions"), std::string::npos);
  EXPECT_EQ(number_in(conclusion, "cv_time_max"), Conclusion::Number());
}

TEST(SweepConclusions, NameNoSavingIfEnergyIsUnknown) {
  Observations observations;
  add(observations, "a", 1, {.means = false}, 1);
  EXPECT_EQ(concluded(observations)[2].text.find("minimum energy"), std::string::npos);
}

TEST(SweepConclusions, AnEmptyTableHasNone) { EXPECT_TRUE(concluded({}).empty()); }

}  // namespace
}  // namespace ergon::report
