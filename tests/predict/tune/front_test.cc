#include "predict/tune/front.h"

#include <gtest/gtest.h>

#include "predict/tune/points.h"

namespace ergon::predict {
namespace {

TEST(ParetoFront, HasWhatNothingBeatsOrEqualsByLatency) {
  // Beaten in both; equal in latency; equal in energy; equal in both.
  const std::vector points{made_up(3, 5), made_up(2, 6), made_up(2, 4),   made_up(1, 9),
                           made_up(4, 4), made_up(5, 1), made_up(5, 1, 7)};
  const auto front = pareto_front(points);
  ASSERT_EQ(front.size(), 3u);
  EXPECT_EQ(front[0].latency().si(), 1);
  EXPECT_EQ(front[1].energy_per_sample().si(), 4);
  EXPECT_EQ(front[1].latency().si(), 2);
  EXPECT_EQ(front[2].batch, 1) << "the first of two that are alike";
  EXPECT_TRUE(pareto_front({}).empty());
}

}  // namespace
}  // namespace ergon::predict
