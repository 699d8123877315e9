#include "predict/tune/front.h"

#include <gtest/gtest.h>

#include "predict/tune/points.h"

namespace ergon::predict {
namespace {

TEST(ParetoFront, HasTheNonDominatedPointsByLatency) {
  // Dominated; equal latency; equal energy; equal in both.
  const std::vector points{synthetic_point(3, 5),   synthetic_point(2, 6), synthetic_point(2, 4),
                           synthetic_point(1, 9),   synthetic_point(4, 4), synthetic_point(5, 1),
                           synthetic_point(5, 1, 7)};
  const auto front = pareto_front(points);
  ASSERT_EQ(front.size(), 3u);
  EXPECT_EQ(front[0].latency().si(), 1);
  EXPECT_EQ(front[1].energy_per_sample().si(), 4);
  EXPECT_EQ(front[1].latency().si(), 2);
  EXPECT_EQ(front[2].batch, 1) << "the first of two equal points";
  EXPECT_TRUE(pareto_front({}).empty());
}

}  // namespace
}  // namespace ergon::predict
