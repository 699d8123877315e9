#include "predict/estimate/task_estimate.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "predict/estimate/some_iterations.h"

namespace ergon::predict {
namespace {

using graph::Mode;

std::vector<Iteration> some_iterations() {
  return {test::iteration_named("resnet50", {32, Mode::inference, device::Precision::tf32}),
          test::iteration_named("mobilenet_v2", {8, Mode::training, device::Precision::fp32}),
          test::iteration_named("vit_b_16", {4, Mode::training, device::Precision::bf16})};
}

TEST(TaskEstimate, IsTheSumOfItsKernels) {
  const auto gpu = test::gpu_named("a30");
  for (const Iteration& iteration : some_iterations()) {
    for (const Task& task : iteration.tasks) {
      const TaskEstimate estimate(task, iteration.config.precision, gpu);
      ASSERT_EQ(estimate.kernel_costs().size(), task.forward.size() + task.backward.size());
      const Hertz clock = gpu.core.min * 2;
      Seconds total;
      Joules work;
      for (const auto* kernels : {&task.forward, &task.backward}) {
        for (const device::Kernel& kernel : *kernels) {
          const device::KernelCost cost = device::kernel_cost(kernel, iteration.config.precision, gpu);
          total += device::time_of(cost, gpu, clock).total;
          work += cost.work;
        }
      }
      const device::Activity activity = estimate.at(clock, gpu);
      EXPECT_EQ(activity.gpu, std::max(total, gpu.kernels.floor)) << task.kind;
      EXPECT_EQ(activity.time, activity.gpu);
      EXPECT_EQ(activity.host, Seconds{0});
      EXPECT_EQ(activity.work, work);
      EXPECT_LE(activity.busy, activity.gpu * (1 + 1e-12));
    }
  }
}

TEST(TaskEstimate, WithoutKernelsTakesTheMinKernelTime) {
  const auto gpu = test::gpu_named("h200");
  EXPECT_EQ(TaskEstimate(Task{}, device::Precision::tf32, gpu).at(gpu.core.max, gpu).gpu, gpu.kernels.floor);
}

TEST(TaskEstimate, TimeNeverFallsAtALowerClock) {
  for (const std::string& device : device::device_names()) {
    const auto gpu = test::gpu_named(device);
    for (const Iteration& iteration : some_iterations()) {
      for (const Task& task : iteration.tasks) {
        const TaskEstimate estimate(task, iteration.config.precision, gpu);
        Seconds last{1e9};
        for (const Hertz clock : test::clocks_of(gpu, 12)) {
          const Seconds now = estimate.at(clock, gpu).gpu;
          ASSERT_LE(now, last * (1 + 1e-12)) << device << " " << task.kind << " " << task.description;
          last = now;
        }
      }
    }
  }
}

TEST(Settle, StaysWithinTheLimitAndTheRequestedClock) {
  for (const char* device : {"a30", "v100", "h200"}) {
    const auto gpu = test::gpu_named(device);
    for (const Iteration& iteration : some_iterations()) {
      for (const Task& task : iteration.tasks) {
        const TaskEstimate estimate(task, iteration.config.precision, gpu);
        const Watts low = device::equilibrium_of(estimate.at(gpu.core.min, gpu), gpu, gpu.core.min).power;
        const Watts high = device::equilibrium_of(estimate.at(gpu.core.max, gpu), gpu, gpu.core.max).power;
        const Watts limit = low + (high - low) * 0.6;
        const Hertz requested = gpu.core.min + (gpu.core.max - gpu.core.min) * 0.9;
        const Settled settled = settle(estimate, gpu, requested, limit);
        ASSERT_LE(settled.clock, requested);
        ASSERT_LE(settled.power, limit * (1 + 1e-9)) << task.kind;
        ASSERT_EQ(settled.activity.gpu, estimate.at(settled.clock, gpu).gpu);
        ASSERT_EQ(settled.power, device::equilibrium_of(settled.activity, gpu, settled.clock).power);
        // A scan finds no higher clock within the limits, up to its step.
        const auto clocks = test::clocks_of(gpu, 201);
        for (const Hertz clock : clocks) {
          if (clock <= settled.clock + (clocks[1] - clocks[0]) || clock > requested) continue;
          const auto there = device::equilibrium_of(estimate.at(clock, gpu), gpu, clock);
          ASSERT_TRUE(there.power > limit || there.temperature > gpu.thermal.slowdown) << task.kind;
        }
      }
    }
  }
}

TEST(Settle, RunsAtTheRequestedClockWithoutALimit) {
  const auto gpu = test::unlimited(test::gpu_named("a30"));
  for (const Iteration& iteration : some_iterations()) {
    for (const Task& task : iteration.tasks) {
      const TaskEstimate estimate(task, iteration.config.precision, gpu);
      ASSERT_EQ(settle(estimate, gpu, gpu.core.max, gpu.limit.default_limit).clock, gpu.core.max);
    }
  }
}

}  // namespace
}  // namespace ergon::predict
