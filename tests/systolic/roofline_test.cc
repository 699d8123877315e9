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

TEST(Rooflines, AreEveryPeakWithEveryBandwidth) {
  RooflineRequest request;
  request.peak_ops = {1e12, 4e12};
  request.bandwidths = {BytesPerSecond{10e9}, BytesPerSecond{20e9}, BytesPerSecond{30e9}};
  const auto rooflines = resolve(request);
  ASSERT_TRUE(rooflines) << rooflines.error().message;
  ASSERT_EQ(rooflines->roofs.size(), 6u);
  EXPECT_EQ(rooflines->roofs[5].peak_ops, 4e12);
  EXPECT_EQ(rooflines->roofs[5].bandwidth, BytesPerSecond{30e9});
  EXPECT_EQ(resolve({.accelerator = "edge-tpo"}).error().kind, Errc::unknown_name);
}

TEST(Rooflines, DefaultToTheAccelerator) {
  const auto rooflines = resolve(RooflineRequest{});
  ASSERT_TRUE(rooflines);
  const Accelerator& accelerator = rooflines->accelerator;
  ASSERT_EQ(rooflines->roofs.size(), 1u);
  EXPECT_DOUBLE_EQ(rooflines->roofs[0].peak_ops,
                   2 * static_cast<double>(accelerator.machine.array.units()) * accelerator.clock.si());
  EXPECT_EQ(rooflines->roofs[0].bandwidth,
            find_memory(accelerator.memory)->effective * accelerator.memory_share);
}

TEST(Rooflines, ChartsHaveAPointPerLayerBelowTheRoof) {
  const auto rooflines = resolve(RooflineRequest{});
  const auto layers = *zoo_layers("scalesim/MobileNet");
  const auto charts = charts_of(layers, *rooflines);
  ASSERT_TRUE(charts) << charts.error().message;
  ASSERT_EQ(charts->size(), 1u);
  ASSERT_EQ(charts->front().points.size(), layers.size());
  EXPECT_EQ(charts->front().clock, rooflines->accelerator.clock);
  std::size_t bound = 0;
  for (const RooflinePoint& point : charts->front().points) {
    EXPECT_LE(*point.attained_ops, point.attainable_ops * (1 + 1e-9));
    bound += point.memory_bound ? 1 : 0;
  }
  EXPECT_EQ(charts->front().memory_bound(), bound);
}

// All of them in JSON took 2.35 GB, and a request may ask for 800,000 rooflines.
TEST(Rooflines, HaveALimitedNumberOfPoints) {
  RooflineRequest request;
  request.peak_ops.assign(142, 1e12);
  request.bandwidths.assign(142, BytesPerSecond{1e10});
  const auto too_many = resolve(request);
  ASSERT_FALSE(too_many);
  EXPECT_EQ(too_many.error().kind, Errc::invalid_input);
  EXPECT_EQ(too_many.error().message, "rooflines: 20164, more than 20000; give fewer peaks or bandwidths");
  request.peak_ops.assign(2, 1e12);
  request.bandwidths.resize(1);
  const auto two = resolve(request);
  ASSERT_TRUE(two);
  const std::vector<Layer> layers(10001);
  const auto refused = charts_of(layers, *two);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "layers under all rooflines: 20002, more than 20000; give fewer peaks or bandwidths");
}

}  // namespace
}  // namespace ergon::systolic
