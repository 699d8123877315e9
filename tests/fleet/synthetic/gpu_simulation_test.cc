#include "fleet/synthetic/gpu_simulation.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/statistics/moments.h"
#include "device/twin/twin.h"
#include "fleet/synthetic/sample_stream.h"
#include "fleet/synthetic/small_fleet.h"

namespace ergon::fleet::synthetic {
namespace {

// A board and its specification, with an exact sensor.
struct MadeGpu {
  explicit MadeGpu(FleetPlan& plan, const BoardChoice& choice) {
    plan.device.sensors.front().noise = Watts{0};
    passes = std::make_unique<RenderPasses>(plan.device);
    gpu = with_board_variation(plan.device, choice);
    board = std::make_shared<const Board>(board_of(plan.device, *passes, choice));
  }
  GpuPhases phases(const FleetPlan& plan) const { return {plan, 0, 0, TaskStream(plan, 0, 1), *board}; }

  std::unique_ptr<RenderPasses> passes;
  device::Specification gpu;
  std::shared_ptr<const Board> board;
};

// Reference: a twin that simulates every tick of its clock regulator.
void apply(device::Twin& twin, const GpuPhase& phase, const MadeGpu& made) {
  if (phase.point == &made.board->bare) return twin.close_context();
  if (!phase.rendering) return twin.stop(), twin.open_context();
  const auto level = static_cast<std::size_t>(phase.rendering - made.board->rendering.data());
  twin.run(std::make_shared<const device::Load>(made.passes->at(level), made.gpu));
}

class GpuLikeItsTwin : public testing::TestWithParam<const char*> {};

TEST_P(GpuLikeItsTwin, AtEveryReading) {
  FleetPlan plan = small_plan(1, 0.2);
  plan.device = *device::find_device(GetParam());
  const MadeGpu made(plan, {1, 0, 0, true});
  device::Twin twin(made.gpu);
  GpuSimulation life(made.board, made.phases(plan));
  GpuPhases phases = made.phases(plan);
  auto next = phases.next();
  const PowerSensor sensor(made.gpu.sensors.front());
  int busy = 0;
  // Not at multiples of the sensor period, where the order of events is ambiguous.
  for (Instant moment{503'000'000}; moment < plan.end(); moment = later(moment, Seconds{2.017})) {
    for (; next && next->begin <= moment; next = phases.next()) {
      twin.advance(next->begin - (Instant{} + twin.now()));
      apply(twin, *next, made);
    }
    twin.advance(moment - (Instant{} + twin.now()));
    life.advance(moment);
    ASSERT_NEAR(life.temperature().degrees(), twin.temperature().degrees(), 1e-6);
    ASSERT_NEAR(life.true_power().si(), twin.true_power().si(), 1e-6);
    ASSERT_NEAR(life.sensor_power(sensor).si(), twin.power(made.gpu.sensors.front().field)->si(), 1e-4);
    busy += life.rendering() != nullptr;
  }
  EXPECT_GT(busy, 100);
}
INSTANTIATE_TEST_SUITE_P(Devices, GpuLikeItsTwin, testing::Values("v100s", "h200", "p40"));

TEST(FleetBoard, SlowBoardsWaitForMemory) {
  const FleetPlan plan = small_plan(1, 1);
  const RenderPasses passes(plan.device);
  const Board nominal = nominal_board(plan.device, passes);
  statistics::Moments slower, memory;
  for (std::uint64_t host = 0; host < 50; ++host) {
    const Board slow = board_of(plan.device, passes, {1, host, 0, true});
    slower.add((slow.pass / nominal.pass).si());
    memory.add(slow.rendering[3].memory_percent / nominal.rendering[3].memory_percent);
  }
  EXPECT_NEAR(*slower.mean(), 1.12, 0.02);
  EXPECT_GT(*memory.mean(), 1.05);
}

TEST(FleetBoard, StaysWithinTheLimitsOfItsDevice) {
  for (const std::string& name : device::device_names()) {
    FleetPlan plan = small_plan(1, 1);
    plan.device = *device::find_device(name);
    const RenderPasses passes(plan.device);
    for (std::uint64_t host = 0; host < 20; ++host) {
      const Board board = board_of(plan.device, passes, {1, host, 0, host % 2 == 0});
      Watts before = board.resident.power;
      EXPECT_GT(board.bare.power, Watts{0}) << name;
      EXPECT_LT(board.bare.power, before) << name;
      for (const Rendering& each : board.rendering) {
        EXPECT_GT(each.point.power, before) << name;
        EXPECT_LE(each.point.power, plan.device.limit.default_limit) << name;
        EXPECT_LE(each.point.temperature, plan.device.thermal.slowdown) << name;
        EXPECT_GT(each.busy_percent, 80) << name;
        EXPECT_LT(each.busy_percent, 98) << name;
        EXPECT_GT(each.memory_percent, 25) << name;
        EXPECT_LT(each.memory_percent, each.busy_percent) << name;
        before = std::min(each.point.power, plan.device.limit.default_limit * 0.95);
      }
    }
  }
}

TEST(FleetSamples, AreReadEvery2017Milliseconds) {
  const FleetPlan plan = small_plan(1, 2);
  const RenderPasses passes(plan.device);
  const auto board = std::make_shared<const Board>(nominal_board(plan.device, passes));
  SampleStream first(plan, {0, 0, 0}, 1, board), second(plan, {0, 0, 1}, 1, board);
  EXPECT_NE(first.key(), second.key());
  statistics::Moments between;
  int least = 100, most = 0;
  std::int64_t before = first.key();
  first.take();
  for (; first.key() != kEndOfStream; before = first.key(), first.take()) {
    between.add(static_cast<double>(first.key() - before) / 1e9);
    EXPECT_EQ(first.key() % 1'000'000, 0);
  }
  EXPECT_NEAR(*between.mean(), 2.0174, 1e-3);
  while (second.key() != kEndOfStream) {
    const SampleRow sample = second.take();
    if (sample.busy_percent == 0) {
      EXPECT_EQ(sample.memory_percent, 0);
      continue;
    }
    least = std::min(least, sample.busy_percent);
    most = std::max(most, sample.busy_percent);
  }
  EXPECT_GE(least, 70);
  EXPECT_LE(most, 100);
}

}  // namespace
}  // namespace ergon::fleet::synthetic
