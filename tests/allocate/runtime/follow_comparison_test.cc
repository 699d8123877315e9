#include "allocate/runtime/follow_comparison.h"

#include <gtest/gtest.h>

#include "allocate/arada_networks.h"
#include "allocate/plan.h"

namespace ergon::allocate {
namespace {

TEST(AlternatingNeighbor, ChangesAtEveryPeriod) {
  const auto neighbor = alternating_neighbor(Seconds{2}, 0.4);
  for (const auto& [at, share, until] :
       {std::tuple{0.0, 1.0, 2.0}, {1.9, 1.0, 2.0}, {2.0, 0.4, 4.0}, {3.9, 0.4, 4.0}, {4.0, 1.0, 6.0}}) {
    const auto phase = neighbor(Seconds{at});
    EXPECT_EQ(phase.share, share) << at;
    EXPECT_EQ(phase.until, Seconds{until}) << at;
  }
}

// A phase always ends after it was asked for; otherwise the simulation would not advance.
TEST(AlternatingNeighbor, EndsLater) {
  const Seconds period{0.1};
  const auto neighbor = alternating_neighbor(period, 0.5);
  for (int i = 0; i < 10000; ++i) {
    const Seconds now = period * static_cast<double>(i);
    EXPECT_GT(neighbor(now).until, now);
  }
}

TEST(CompareFollowing, CorrectionReactsToTheNeighbor) {
  const Hardware hardware = arada_hardware("edge-tpu", 8);
  const auto demands = demands_of_network("scalesim/MobileNet", hardware);
  const auto schedule = plan(demands, hardware, {.scheme = Scheme::optimal_split});
  ASSERT_TRUE(schedule);
  const auto followed =
      compare_following("MobileNet", *schedule, demands, hardware, {.taken = 0.5, .period = 2, .runs = 8});
  ASSERT_TRUE(followed) << followed.error().message;
  EXPECT_EQ(followed->uncorrected.followed.corrected, 0u);
  EXPECT_GT(followed->corrected.followed.corrected, 0u);
  EXPECT_DOUBLE_EQ(followed->slowdown(),
                   (followed->corrected.followed.time / followed->uncorrected.followed.time).si() - 1);
  EXPECT_GT(followed->energy_saved(), 0);
}

}  // namespace
}  // namespace ergon::allocate
