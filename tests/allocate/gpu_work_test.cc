// The operations of a network on a GPU, against the twin's totals.

#include "allocate/gpu/gpu_work.h"

#include <map>

#include <gtest/gtest.h>

#include "allocate/gpu_works.h"

namespace ergon::allocate {
namespace {

struct Case {
  const char* gpu;
  const char* network;
  std::int64_t batch;
  graph::Mode mode;
  device::Precision precision;
};

const std::vector<Case> kCases = {
    {"a100-sxm-80", "resnet50", 64, graph::Mode::inference, device::Precision::tf32},
    {"a100-sxm-80", "resnet50", 64, graph::Mode::training, device::Precision::fp16},
    {"v100", "mobilenet_v2", 16, graph::Mode::training, device::Precision::fp32},
    {"h200", "vit_b_16", 8, graph::Mode::inference, device::Precision::bf16},
    {"h200", "gpt2", 2, graph::Mode::training, device::Precision::tf32},
    {"v100", "googlenet", 1, graph::Mode::inference, device::Precision::tf32},
};

TEST(GpuWork, StepsSumToTheTwinsLoad) {
  for (const Case& each : kCases) {
    const auto network = zoo_network(each.network);
    const GpuWork work =
        work_on(each.gpu, network, {.batch = each.batch, .mode = each.mode, .precision = each.precision});
    for (const Hertz clock : {work.clocks().front(), work.clocks()[work.clocks().size() / 2], work.top()}) {
      Seconds time;
      Joules energy;
      for (std::size_t step = 0; step < work.steps().size(); ++step) {
        time += work.at(step, clock).time;
        energy += work.at(step, clock).energy;
      }
      device::Activity all = work.load().at(clock);
      all.time = all.gpu;
      const Joules whole = device::power_of(all, work.gpu(), clock, work.temperature()) * all.gpu;
      EXPECT_NEAR(time.si(), all.gpu.si(), 1e-10 * all.gpu.si()) << each.network;
      EXPECT_NEAR(energy.si(), whole.si(), 1e-10 * whole.si()) << each.network;
    }
  }
}

TEST(GpuWork, SequenceHoldsEveryOperationAsOftenAsTheWorkload) {
  for (const Case& each : kCases) {
    const auto network = zoo_network(each.network);
    const auto workload = device::workload_of(network, each.batch, each.mode, each.precision).value();
    const auto launches = sequence_of(network, workload).value();
    std::map<std::size_t, std::int64_t> forward, backward;
    graph::NodeId last = 0;
    for (const StepLaunch& launch : launches) {
      auto& counts = launch.pass == Pass::forward ? forward : backward;
      if (!backward.empty()) {
        EXPECT_EQ(launch.pass, Pass::backward);
        EXPECT_LE(launch.node, last);
      } else {
        EXPECT_GE(launch.node, last);
      }
      ++counts[launch.operation];
      last = launch.node;
    }
    for (std::size_t i = 0; i < workload.operations.size(); ++i) {
      const device::Operation& operation = workload.operations[i];
      EXPECT_EQ(forward[i], operation.count) << each.network << " " << operation.kind;
      EXPECT_EQ(backward[i], operation.backward.empty() ? 0 : operation.count);
    }
  }
}

TEST(GpuWork, LevelsMatchCostsAtTheirClocks) {
  const GpuWork work = work_on("v100", tiny_network(), {.batch = 64});
  for (std::size_t step = 0; step < work.steps().size(); ++step) {
    for (std::size_t level = 0; level < work.clocks().size(); ++level) {
      EXPECT_EQ(work.at_level(step, level).time, work.at(step, work.clocks()[level]).time);
      EXPECT_EQ(work.at_level(step, level).energy, work.at(step, work.clocks()[level]).energy);
    }
  }
}

TEST(GpuWork, MinClockIsTheLowestWithinTheTime) {
  const GpuWork work = work_on("a100-sxm-80", tiny_network(), {.batch = 64});
  int inside = 0;
  for (std::size_t step = 0; step < work.steps().size(); ++step) {
    const Seconds allowed = work.at(step, work.top()).time * 1.05;
    const Hertz slowest = work.min_clock(step, allowed);
    EXPECT_LE(work.at(step, slowest).time, allowed);
    if (slowest <= work.gpu().core.min) continue;
    EXPECT_GT(work.at(step, slowest * 0.999).time, allowed);
    ++inside;
  }
  EXPECT_GT(inside, 0);
}

TEST(GpuWork, ClocksAreTheGpusOrHaveTheGivenDistance) {
  const auto network = tiny_network();
  const GpuWork all = work_on("a100-sxm-80", network, {.batch = 64});
  const auto core = all.gpu().core;
  EXPECT_EQ(all.clocks().front(), core.min);
  for (std::size_t i = 1; i < all.clocks().size(); ++i) {
    EXPECT_NEAR((all.clocks()[i] - all.clocks()[i - 1]).si(), core.step.si(), 1);
  }
  const GpuWork few = work_on("a100-sxm-80", network, {.batch = 64, .clock_step = core.step * 4});
  EXPECT_EQ(few.top(), all.top());
  for (std::size_t i = 1; i < few.clocks().size(); ++i) {
    EXPECT_NEAR((few.clocks()[i] - few.clocks()[i - 1]).si(), 4 * core.step.si(), 1);
  }
}

TEST(GpuWork, APowerLimitRemovesClocks) {
  const auto network = zoo_network("resnet50");
  auto gpu = device::find_device("a100-sxm-80").value();
  gpu.limit.min = gpu.limit.holds_from = Watts{1};
  const GpuWork free = GpuWork::of(network, gpu, {.batch = 64}).value();
  device::Activity full = free.load().at(free.top());
  full.time = full.gpu;
  const Watts most = device::equilibrium_of(full, gpu, free.top()).power;
  const Watts limit = most * 0.9;
  const GpuWork held = GpuWork::of(network, gpu, {.batch = 64, .power_limit = limit}).value();
  EXPECT_TRUE(held.limited());
  ASSERT_LT(held.clocks().size(), free.clocks().size());
  const auto power_at = [&](Hertz clock) {
    device::Activity activity = free.load().at(clock);
    activity.time = activity.gpu;
    return device::equilibrium_of(activity, gpu, clock).power;
  };
  EXPECT_LE(power_at(held.top()), limit);
  EXPECT_GT(power_at(free.clocks()[held.clocks().size()]), limit);
}

TEST(GpuWork, WarnsOfArithmeticThatTheGpuDoesNotSupport) {
  const auto network = tiny_network();
  EXPECT_EQ(
      work_on("v100", network, {.precision = device::Precision::bf16}).warnings(),
      std::vector<std::string>{"v100 does not support bf16: the arithmetic is fp32, storage is 16 bits"});
  EXPECT_TRUE(work_on("h200", network, {.precision = device::Precision::bf16}).warnings().empty());
}

TEST(GpuWork, ReportsWhatCannotRun) {
  const auto gpu = device::find_device("v100").value();
  const auto network = zoo_network("resnet50");
  EXPECT_FALSE(GpuWork::of(network, gpu, {.batch = 0}));
  EXPECT_FALSE(GpuWork::of(network, gpu, {.batch = 1 << 20}));
  EXPECT_FALSE(GpuWork::of(network, gpu, {.power_limit = Watts{1e6}}));
  EXPECT_FALSE(GpuWork::of(network, gpu, {.switch_time = Seconds{-1}}));
  graph::Builder b("test", "nothing");
  const auto x = b.input("input", "Input", graph::Shape::image_of(3, 8, 8));
  const auto nothing = GpuWork::of(b.finish({x}).value(), gpu, {});
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().message, "nothing launches no kernels on a GPU; there is no clock to choose");
}

}  // namespace
}  // namespace ergon::allocate
