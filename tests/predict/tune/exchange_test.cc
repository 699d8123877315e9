#include "predict/tune/exchange.h"

#include <gtest/gtest.h>

#include "predict/tune/points.h"

namespace ergon::predict {
namespace {

TEST(Exchange, IsTheLeastEnergyWithinALongerLatency) {
  const std::vector points{made_up(1, 10), made_up(1.01, 9), made_up(1.02, 8), made_up(0.99, 11)};
  const Exchange one_percent = exchange_of(points[0], points, {}, 0.01);
  ASSERT_TRUE(one_percent.point);
  EXPECT_EQ(one_percent.point->latency().si(), 1.01);
  EXPECT_NEAR(one_percent.energy_saving, 0.1, 1e-12);
  EXPECT_NEAR(exchange_of(points[0], points, {}, 0.05).energy_saving, 0.2, 1e-12);
  EXPECT_NEAR(exchange_of(points[0], points, {}, -0.01).energy_saving, -0.1, 1e-12);
  EXPECT_FALSE(exchange_of(points[0], points, {}, -0.05).point);
}

TEST(Exchange, GivesUpNoThroughputForABatch) {
  // Half the batch in the same time would save energy at half the throughput.
  const std::vector points{made_up(1, 10, 8), made_up(1, 5, 4), made_up(1.2, 8, 16)};
  EXPECT_EQ(exchange_of(points[0], points, {}, 0.1).energy_saving, 0);
  EXPECT_EQ(exchange_of(points[0], points, {}, 0.25).point->batch, 16);
}

TEST(Exchange, KeepsDeviceThroughputAndPowerButNotTheLatencyBound) {
  std::vector points{made_up(1, 10), made_up(1.05, 9), made_up(1.08, 8, 1, 300), made_up(1.09, 2)};
  points.back().device = "h200";
  const Bounds bounds{.latency = Seconds{1}, .throughput = {}, .power = Watts{200}};
  EXPECT_NEAR(exchange_of(points[0], points, bounds, 0.1).energy_saving, 0.1, 1e-12);
  const Bounds with_throughput{.latency = {}, .throughput = SamplesPerSecond{0.99}, .power = {}};
  EXPECT_EQ(exchange_of(points[0], points, with_throughput, 0.1).energy_saving, 0);
}

}  // namespace
}  // namespace ergon::predict
