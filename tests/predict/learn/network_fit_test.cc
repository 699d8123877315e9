#include "predict/learn/network_fit.h"

#include <cmath>

#include <gtest/gtest.h>

#include "predict/estimate/some_iterations.h"

namespace ergon::predict {
namespace {

using namespace literals;
using graph::Mode;

// Networks of one operation each, which takes three times the physical estimate. Trees fitted with it predict
// a factor of 3, trees fitted without it 2.5.
class NetworkFitTest : public ::testing::Test {
 protected:
  NetworkFitTest() {
    for (int i = 0; i < 12; ++i) {
      NetworkSample sample;
      sample.iteration.network = "net" + std::to_string(i);
      sample.time = Seconds{(1 + i) * 3e-3};
      sample.power = 100_W;
      samples_.push_back(sample);
    }
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      TaskCost cost;
      cost.settled = samples_[i].time / 3;
      cost.settled_power = 100_W;
      cost.time_ratio = std::log(3.0);
      cost.measured = true;
      TaskCost guessed = cost;
      guessed.time_ratio = std::log(2.5);
      guessed.measured = false;
      networks_.push_back({&samples_[i], {cost}, {guessed}});
    }
  }

  std::vector<NetworkSample> samples_;
  std::vector<MeasuredNetwork> networks_;
};

TEST_F(NetworkFitTest, FitsCorrectionsToMeasuredOperations) {
  const NetworkFit fit = fit_networks(networks_, test::roomy(), 1);
  for (const auto& [key, correction] : fit.corrections.by_config)
    EXPECT_NEAR(correction.kernels, 0, 0.01) << "the sums are exact";
  ASSERT_EQ(fit.with_measured_operations.size(), samples_.size());
  for (const HeldOutNetwork& each : fit.with_measured_operations) {
    EXPECT_NEAR(each.time_error(), 0, 0.01);
    EXPECT_EQ(each.measured_share, 1);
  }
  for (const HeldOutNetwork& each : fit.held_out) {
    EXPECT_NEAR(each.time_error(), -1.0 / 6, 0.01);
    EXPECT_EQ(each.measured_share, 0);
  }
}

// Predictions that are too small need no shrinkage.
TEST_F(NetworkFitTest, FitsShrinkageToHeldOutOperations) {
  EXPECT_EQ(fit_networks(networks_, test::roomy(), 1).shrinkage.at(Mode::inference).weight, 1.0);
  for (MeasuredNetwork& each : networks_) each.held_out_costs[0].time_ratio = std::log(3.0) / 0.6;
  EXPECT_EQ(fit_networks(networks_, test::roomy(), 1).shrinkage.at(Mode::inference).weight, 0.6)
      << "predictions that are too large are shrunk";
}

TEST_F(NetworkFitTest, IntervalsDependOnTheMeasuredShare) {
  const NetworkFit fit = fit_networks(networks_, test::roomy(), 1);
  for (const HeldOutNetwork& each : fit.with_measured_operations) EXPECT_LT(each.widths.time, 0.02);
  for (const HeldOutNetwork& each : fit.held_out) EXPECT_NEAR(each.widths.time, std::log(1.2), 0.02);
}

}  // namespace
}  // namespace ergon::predict
