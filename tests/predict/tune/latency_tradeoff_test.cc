#include "predict/tune/latency_tradeoff.h"

#include <gtest/gtest.h>

#include "predict/tune/points.h"

namespace ergon::predict {
namespace {

TEST(LatencyTradeoff, IsTheLowestEnergyWithinAHigherLatency) {
  const std::vector points{synthetic_point(1, 10), synthetic_point(1.01, 9), synthetic_point(1.02, 8),
                           synthetic_point(0.99, 11)};
  const LatencyTradeoff one_percent = latency_tradeoff_of(points[0], points, {}, 0.01);
  ASSERT_TRUE(one_percent.point);
  EXPECT_EQ(one_percent.point->latency().si(), 1.01);
  EXPECT_NEAR(one_percent.energy_saving, 0.1, 1e-12);
  EXPECT_NEAR(latency_tradeoff_of(points[0], points, {}, 0.05).energy_saving, 0.2, 1e-12);
  EXPECT_NEAR(latency_tradeoff_of(points[0], points, {}, -0.01).energy_saving, -0.1, 1e-12);
  EXPECT_FALSE(latency_tradeoff_of(points[0], points, {}, -0.05).point);
}

TEST(LatencyTradeoff, DoesNotTradeThroughputForABatch) {
  // Half the batch in the same time would save energy at half the throughput.
  const std::vector points{synthetic_point(1, 10, 8), synthetic_point(1, 5, 4), synthetic_point(1.2, 8, 16)};
  EXPECT_EQ(latency_tradeoff_of(points[0], points, {}, 0.1).energy_saving, 0);
  EXPECT_EQ(latency_tradeoff_of(points[0], points, {}, 0.25).point->batch, 16);
}

TEST(LatencyTradeoff, MeetsAllBoundsButLatencyOnTheSameDevice) {
  std::vector points{synthetic_point(1, 10), synthetic_point(1.05, 9), synthetic_point(1.08, 8, 1, 300),
                     synthetic_point(1.09, 2)};
  points.back().device = "h200";
  const Bounds bounds{.latency = Seconds{1}, .throughput = {}, .power = Watts{200}};
  EXPECT_NEAR(latency_tradeoff_of(points[0], points, bounds, 0.1).energy_saving, 0.1, 1e-12);
  const Bounds with_throughput{.latency = {}, .throughput = SamplesPerSecond{0.99}, .power = {}};
  EXPECT_EQ(latency_tradeoff_of(points[0], points, with_throughput, 0.1).energy_saving, 0);
}

TEST(NextCheaper, IsTheFastestSlowerPointThatSavesEnergy) {
  const std::vector points{synthetic_point(1, 10), synthetic_point(1.2, 10), synthetic_point(4, 6, 8),
                           synthetic_point(2, 9, 4), synthetic_point(0.5, 5, 8)};
  const auto cheaper = next_cheaper(points[0], points, {});
  ASSERT_TRUE(cheaper);
  EXPECT_EQ(cheaper->latency().si(), 2);
  EXPECT_FALSE(next_cheaper(points[2], points, {}));
}

// A smaller batch at a low clock loses throughput.
TEST(NextCheaper, DoesNotTradeThroughput) {
  const std::vector points{synthetic_point(1, 10, 8), synthetic_point(1.1, 5, 1), synthetic_point(3, 9, 16)};
  EXPECT_EQ(next_cheaper(points[0], points, {})->batch, 16);
}

TEST(NextCheaper, MeetsTheOtherBoundsOnTheSameDevice) {
  std::vector points{synthetic_point(1, 10), synthetic_point(2, 9, 1, 300), synthetic_point(3, 8)};
  points.back().device = "h200";
  EXPECT_FALSE(
      next_cheaper(points[0], points, {.latency = Seconds{1}, .throughput = {}, .power = Watts{200}}));
}

}  // namespace
}  // namespace ergon::predict
