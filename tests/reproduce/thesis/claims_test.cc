// Verdicts of claims, on synthetic studies.

#include "reproduce/thesis/claims.h"

#include <stdexcept>

#include <gtest/gtest.h>

#include "base/units.h"

namespace ergon::reproduce {
namespace {

using namespace ergon::literals;
using calibrate::ThesisNetwork;
using device::Precision;
using graph::Mode;

ClockSeries series(Mode mode, std::array<double, 6> times, std::array<double, 6> energies) {
  ClockSeries made{{"net", 224}, mode, {}, 900_MHz, 1200_MHz};
  for (std::size_t i = 0; i < times.size(); ++i) {
    predict::Prediction& point = made.points.at(i);
    point.time.value = Seconds{times.at(i)};
    point.energy.value = Joules{energies.at(i)};
    point.energy_delay.value = point.energy.value * point.time.value;
  }
  return made;
}

// Lowest energy at 900 MHz, lowest energy-delay product at 1200 MHz.
ClockSeries as_in_the_thesis(Mode mode, double factor = 1) {
  return series(mode, {10, 7, 3.5, 2.4, 2, 1.9},
                {9 * factor, 8 * factor, 6 * factor, 5 * factor, 5.5 * factor, 6.5 * factor});
}

ThesisStudy without_tables() {
  ThesisStudy study;
  study.no_operations = "measured tables not found";
  study.clocks.inference = {as_in_the_thesis(Mode::inference)};
  study.clocks.training = {as_in_the_thesis(Mode::training, 3)};
  study.clocks.energies = {{"net", 224, 1_J, 2_J, 3_J}};
  study.latency = {1_ms, 1_ms, 1_ms};
  return study;
}

Claim claim(const std::vector<Claim>& claims, std::string_view id) {
  for (const Claim& each : claims) {
    if (each.id == id) return each;
  }
  throw std::runtime_error("no claim " + std::string(id));
}

TEST(ThesisClockSeries, FindsTheBestOfSixClocks) {
  const ClockSeries found = as_in_the_thesis(Mode::inference);
  EXPECT_TRUE(found.time_decreases());
  EXPECT_TRUE(found.is_u_shaped());
  EXPECT_EQ(found.best_energy(), 900_MHz);
  EXPECT_EQ(found.best_energy_delay(), 1200_MHz);
}

TEST(ThesisClockSeries, DetectsCurvesThatAreNotUShaped) {
  EXPECT_FALSE(series(Mode::inference, {6, 5, 4, 3, 2, 1}, {6, 5, 4, 3, 2, 1}).is_u_shaped());
  EXPECT_FALSE(series(Mode::inference, {6, 5, 4, 3, 2, 1}, {1, 2, 3, 4, 5, 6}).is_u_shaped());
  EXPECT_FALSE(series(Mode::inference, {6, 5, 4, 3, 2, 1}, {6, 5, 5.5, 3, 4, 5}).is_u_shaped());
  EXPECT_FALSE(series(Mode::inference, {6, 5, 4, 4, 2, 1}, {6, 5, 4, 3, 4, 5}).time_decreases());
}

TEST(ThesisClaims, ClaimsThatNeedMissingTablesAreNotCheckedAndDoNotFail) {
  const auto claims = thesis_claims(without_tables());
  std::size_t unchecked = 0;
  for (const Claim& each : claims) {
    EXPECT_NE(each.verdict, Verdict::no) << each.id;
    if (each.verdict != Verdict::not_checked) continue;
    EXPECT_FALSE(each.source) << each.id;
    ++unchecked;
    EXPECT_EQ(each.ours, "not checked: measured tables not found");
  }
  EXPECT_EQ(unchecked, 10U);  // eight of operations, two of measured networks
  EXPECT_EQ(claims.size(), 10U + 6 + 2 + 1);
}

TEST(ThesisClaims, ThreeOfFourNetworksHoldApproximatelyAndHalfDoNot) {
  ThesisStudy study = without_tables();
  const ClockSeries flat = series(Mode::inference, {6, 5, 4, 3, 2, 1}, {6, 5, 4, 3, 2, 1});
  study.clocks.inference = {as_in_the_thesis(Mode::inference), as_in_the_thesis(Mode::inference),
                            as_in_the_thesis(Mode::inference), flat};
  study.clocks.training.assign(4, as_in_the_thesis(Mode::training, 3));
  EXPECT_EQ(claim(thesis_claims(study), "energy_least_at_900_inference").verdict, Verdict::approximately);
  study.clocks.inference[0] = study.clocks.inference[1] = flat;
  const auto claims = thesis_claims(study);
  EXPECT_EQ(claim(claims, "energy_least_at_900_inference").verdict, Verdict::no);
  EXPECT_NE(claim(claims, "energy_least_at_900_training").verdict, Verdict::no);
}

TEST(ThesisClaims, TrainingRatioComparesTheSameNetworkSizeAndPrecision) {
  ThesisStudy study = without_tables();
  const auto row = [](const char* device, Mode mode, Precision precision, std::int64_t size, Joules energy) {
    return ThesisNetwork{device, mode, precision, "net", 32, size, 1_s, energy / 1_s};
  };
  study.networks = {row("a30", Mode::inference, Precision::tf32, 224, 1_J),
                    row("a30", Mode::training, Precision::tf32, 224, 3_J),
                    row("a30", Mode::training, Precision::tf32, 299, 90_J),
                    row("a30", Mode::inference, Precision::fp32, 224, 2_J),
                    row("a30", Mode::training, Precision::fp32, 224, 14_J)};
  const Claim found = claim(thesis_claims(study), "training_over_inference_measured");
  EXPECT_EQ(found.source, ClaimSource::measured);
  EXPECT_EQ(found.ours, "3.0 to 3.0");
  EXPECT_EQ(found.verdict, Verdict::exactly);
  study.networks[1].power = 6_W;
  EXPECT_EQ(claim(thesis_claims(study), "training_over_inference_measured").verdict, Verdict::no);
}

TEST(ThesisClaims, EnergyRisesFromTensorCoresOnToOff) {
  ThesisStudy study = without_tables();
  const auto row = [](const char* device, Precision precision, Watts power) {
    return ThesisNetwork{device, Mode::inference, precision, "net", 32, 224, 1_s, power};
  };
  study.networks = {row("a30", Precision::tf32, 1_W), row("rtx2080ti", Precision::tf32, 2_W),
                    row("a30", Precision::fp32, 3_W)};
  EXPECT_EQ(claim(thesis_claims(study), "order_of_devices_measured").verdict, Verdict::exactly);
  study.networks[1].power = 4_W;
  EXPECT_EQ(claim(thesis_claims(study), "order_of_devices_measured").verdict, Verdict::no);
}

TEST(ThesisClaims, OperationsAreComparedWithTheBetterLearnerOfTheThesis) {
  ThesisStudy study = without_tables();
  const predict::ConfigKey kind{Mode::inference, Precision::tf32};
  const predict::Score good{"", 100, 0.05, 0.99, 0}, fair{"", 100, 0.05, 0.86, 0},
      poor{"", 100, 0.05, 0.5, 0};
  const auto judged = [&](const predict::Score& folds, const predict::Score& held_out) {
    study.operations = OperationStudy{15, {{"a30", kind, folds, good}}, {{"a30", kind, held_out, good}}, {}};
    return claim(thesis_claims(study), "operations_a30_inference_time").verdict;
  };
  EXPECT_EQ(judged(good, good), Verdict::exactly);
  EXPECT_EQ(judged(good, fair), Verdict::approximately);
  EXPECT_EQ(judged(poor, good), Verdict::no);
}

TEST(ThesisClaims, TooFewRowsAreNotChecked) {
  ThesisStudy study = without_tables();
  study.operations = OperationStudy{};
  study.operations->rows["rtx2080ti"][{Mode::training, Precision::tf32}] = 23;
  const Claim found = claim(thesis_claims(study), "operations_rtx2080ti_training_time");
  EXPECT_EQ(found.verdict, Verdict::not_checked);
  EXPECT_EQ(found.ours, "not checked: 23 rows are public");
}

}  // namespace
}  // namespace ergon::reproduce
