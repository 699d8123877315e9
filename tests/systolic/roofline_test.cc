#include "systolic/roofline.h"

#include <gtest/gtest.h>

#include "systolic/random_layer.h"
#include "systolic/replay/shared_channel.h"

namespace ergon::systolic {
namespace {

TEST(Roofline, OfMobileNetsSecondLayer) {
  // 112 x 112 x 32 inputs, 3 x 3 x 32 weights, 110 x 110 outputs, two bytes each.
  const auto g = geometry_of({"dw", 112, 112, 3, 3, 32, 1, 1, 1});
  ASSERT_TRUE(g);
  const Roof roof{4e12, BytesPerSecond{29e9}, 2};
  const RooflinePoint point = roofline_point(*g, roof);
  const double bytes = 2.0 * (112 * 112 * 32 + 288 + 110 * 110);
  EXPECT_DOUBLE_EQ(point.operations, 2.0 * 110 * 110 * 288);
  EXPECT_DOUBLE_EQ(point.traffic.si(), bytes);
  EXPECT_DOUBLE_EQ(point.intensity, point.operations / bytes);
  EXPECT_DOUBLE_EQ(point.attainable_ops, point.intensity * 29e9);
  EXPECT_TRUE(point.memory_bound);
  EXPECT_FALSE(roofline_point(*g, {4e9, BytesPerSecond{29e9}, 2}).memory_bound);
  EXPECT_DOUBLE_EQ(roofline_point(*g, {4e9, BytesPerSecond{29e9}, 2}).attainable_ops, 4e9);
}

TEST(Roofline, KindsByTheShapeOfFilters) {
  const auto kind = [](const graph::TopologyConv& row) { return name_of(kind_of(*geometry_of(row))); };
  EXPECT_EQ(kind({"a", 9, 9, 3, 3, 8, 16, 1, 1}), "conv");
  EXPECT_EQ(kind({"a", 9, 9, 3, 3, 8, 1, 1, 1}), "dw");
  EXPECT_EQ(kind({"a", 9, 9, 1, 1, 8, 16, 1, 1}), "pw");
  EXPECT_EQ(kind({"a", 1, 1, 1, 1, 8, 16, 1, 1}), "fc");
  EXPECT_EQ(kind(as_convolution({"g", 7, 5, 3})), "fc");
}

// No array attains more than its roof.
TEST(Roofline, NothingIsAboveTheRoof) {
  Random random(31);
  for (int i = 0; i < 800; ++i) {
    const RandomCase c = random_case(random);
    const auto g = geometry_of(c.row);
    ASSERT_TRUE(g);
    const auto schedule = trace_misses(*g, c.machine);
    ASSERT_TRUE(schedule);
    const LayerTiming timing = share_channel(*schedule, c.port.channel_words);
    const double clock = 1e9;
    const Roof roof{2 * clock * static_cast<double>(c.machine.array.units()),
                    BytesPerSecond{c.port.channel_words * clock * 2}, 2};
    const RooflinePoint point = roofline_point(*g, roof);
    const double attained = point.operations * clock / static_cast<double>(timing.cycles_with_prefetch);
    ASSERT_LE(attained, point.attainable_ops * (1 + 1e-12)) << c;
  }
}

}  // namespace
}  // namespace ergon::systolic
