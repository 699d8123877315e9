#include <gtest/gtest.h>

#include "allocate/arada_networks.h"
#include "allocate/plan.h"

namespace ergon::allocate {
namespace {

class IsoLatency : public testing::Test {
 protected:
  Hardware hardware_ = arada_hardware("edge-tpu", 8);
  std::vector<LayerDemand> demands_ = demands_of_network("scalesim/MobileNet", hardware_);
};

TEST_F(IsoLatency, IsOfferedWhenAradaIsLate) {
  const auto late = plan_certified(demands_, hardware_, {.scheme = Scheme::vf_oh_q});
  ASSERT_TRUE(late) << late.error().message;
  ASSERT_FALSE(late->meets_planned_latency());
  const auto other = iso_latency(*late, demands_, hardware_);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->scheme, Scheme::optimal_split);
  EXPECT_LE(other->simulated, late->race_to_idle * (1 + 1e-9));
  EXPECT_LE(other->energy_ratio, 1 - kMinReported);
}

TEST_F(IsoLatency, IsNotOfferedForTheOptimumItself) {
  for (const Scheme scheme : {Scheme::race_to_idle, Scheme::greedy, Scheme::optimal_split}) {
    const auto schedule = plan_certified(demands_, hardware_, {.scheme = scheme});
    ASSERT_TRUE(schedule);
    EXPECT_FALSE(iso_latency(*schedule, demands_, hardware_)) << name_of(scheme);
  }
}

TEST_F(IsoLatency, PlansAreCertified) {
  const auto schedule = plan_certified(demands_, hardware_, {.scheme = Scheme::optimal});
  ASSERT_TRUE(schedule);
  ASSERT_TRUE(schedule->certificate);
  EXPECT_LE(schedule->certificate->lower_bound, schedule->energy_ratio + 1e-12);
  EXPECT_FALSE(plan_certified(demands_, hardware_, {.scheme = Scheme::ideal})->certificate);
}

// With full bandwidth the bandwidth rule costs nothing; a lower bandwidth costs at most the whole slowdown.
TEST_F(IsoLatency, BandwidthIsPartOfTheSlowdown) {
  const auto full = plan(demands_, hardware_, {.scheme = Scheme::race_to_idle});
  EXPECT_NEAR(slowdown_by_bandwidth(*full, demands_, hardware_), 0, 1e-12);
  EXPECT_NEAR(full->slowdown_to_race_to_idle(), 0, 1e-12);
  const auto late = plan(demands_, hardware_, {.scheme = Scheme::vf_oh_q});
  const double by_bandwidth = slowdown_by_bandwidth(*late, demands_, hardware_);
  EXPECT_GE(by_bandwidth, -1e-12);
  EXPECT_LE(by_bandwidth, late->slowdown_to_race_to_idle() + 1e-12);
}

}  // namespace
}  // namespace ergon::allocate
