#include "control/plants/twin_plant.h"

#include <gtest/gtest.h>

#include "control/surfaces/grid_surface.h"
#include "device/twin/catalog.h"
#include "device/twin/estimate.h"
#include "graph/zoo/zoo.h"

namespace ergon::control {
namespace {

graph::Network network(const char* name) { return graph::zoo::build(**graph::zoo::find(name), {}).value(); }
device::Specification gpu(const char* name) { return device::find_device(name).value(); }

TEST(TwinPlant, AgreesWithTheTwinAfterWarmUp) {
  auto plant = TwinPlant::of(network("resnet50"), gpu("h200"), {}).value();
  const Point point{32, plant.knobs().clocks[12]};
  const auto warm = plant.run(point, {1, 3000});
  ASSERT_TRUE(warm) << warm.error().message;
  const auto feedback = plant.run(point, {10, 5}).value();
  const auto prior = twin_surface(network("resnet50"), gpu("h200"), device::Precision::tf32, plant.knobs());
  ASSERT_TRUE(prior) << prior.error().message;
  const Expectation there = prior->at(point);
  EXPECT_NEAR(32 / feedback.throughput() / there.time.si(), 1, 0.03);
  EXPECT_NEAR((*feedback.mean_power / there.power).si(), 1, 0.03);
  EXPECT_GE(*feedback.power, *feedback.mean_power);
}

TEST(TwinPlant, ReportsStaleValuesIfTheDecisionIsShorterThanTheSensorWindow) {
  auto slow = gpu("h200");
  slow.sensors = {{"instant", Seconds{0.2}, Seconds{0.2}, 1, Watts{0}, Watts{1}}};
  auto plant = TwinPlant::of(network("alexnet"), slow, {}).value();
  const auto first = plant.run({1, plant.knobs().clocks.back()}, {10, 3}).value();
  const auto stale = plant.run({256, plant.knobs().clocks.back()}, {1, 0}).value();
  const auto fresh = plant.run({256, plant.knobs().clocks.back()}, {10, 3}).value();
  EXPECT_LT(*stale.power, *fresh.power * 0.8);
  EXPECT_GT(*fresh.power, *first.power * 1.2);
}

TEST(TwinPlant, PowerSegmentsHaveNoGaps) {
  auto plant = TwinPlant::of(network("resnet18"), gpu("a30"), {}).value();
  plant.take_power_segments();
  const Seconds begun = plant.now();
  plant.run({8, plant.knobs().clocks.front()}, {10, 3}).value();
  plant.run({64, plant.knobs().clocks.back()}, {10, 3}).value();
  Seconds at = begun;
  for (const PowerSegment& each : plant.take_power_segments()) {
    EXPECT_NEAR(each.from.si(), at.si(), 1e-9);
    EXPECT_GT(each.power, Watts{10});
    at = each.to;
  }
  EXPECT_NEAR(at.si(), plant.now().si(), 1e-9);
  EXPECT_TRUE(plant.take_power_segments().empty());
}

TEST(TwinPlant, OffersTheBatchesThatFitTheMemory) {
  TwinPlant::Settings settings;
  settings.max_batch = 4096;
  auto small = gpu("rtx2080ti");
  const auto plant = TwinPlant::of(network("vgg16"), small, settings).value();
  const std::int64_t most = plant.knobs().batches.back();
  EXPECT_LT(most, 4096);
  const auto fits = [&](std::int64_t batch) {
    const auto work =
        device::workload_of(network("vgg16"), batch, graph::Mode::inference, device::Precision::tf32);
    return static_cast<bool>(device::memory_on(*work, small));
  };
  EXPECT_TRUE(fits(most));
  EXPECT_FALSE(fits(most + 1));
}

TEST(TwinPlant, WithoutPermissionThereAreNoClocks) {
  TwinPlant::Settings settings;
  settings.may_set_clock = false;
  const auto plant = TwinPlant::of(network("resnet18"), gpu("a30"), settings).value();
  EXPECT_TRUE(plant.knobs().clocks.empty());
  EXPECT_TRUE(plant.simulated());
}

TEST(TwinPlant, TheSameSeedGivesTheSameReadings) {
  const auto feedback = [](std::uint64_t seed) {
    TwinPlant::Settings settings;
    settings.seed = seed;
    auto plant = TwinPlant::of(network("resnet18"), gpu("a30"), settings).value();
    return plant.run({8, plant.knobs().clocks.back()}, {10, 3}).value().power->si();
  };
  EXPECT_EQ(feedback(1), feedback(1));
  EXPECT_NE(feedback(1), feedback(2));
}

TEST(EvenlySpacedClocks, IncludeBothEnds) {
  const auto spec = gpu("h200");
  const auto clocks = evenly_spaced_clocks(spec, 10);
  EXPECT_EQ(clocks.size(), 10u);
  EXPECT_EQ(clocks.front(), spec.core.min);
  EXPECT_EQ(clocks.back(), spec.core.max);
}

}  // namespace
}  // namespace ergon::control
