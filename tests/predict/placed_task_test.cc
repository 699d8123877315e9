#include "predict/placed_task.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "predict/some_jobs.h"

namespace ergon::predict {
namespace {

using graph::Mode;

std::vector<Job> some_jobs() {
  return {test::job_called("resnet50", {32, Mode::inference, device::Precision::tf32}),
          test::job_called("mobilenet_v2", {8, Mode::training, device::Precision::fp32}),
          test::job_called("vit_b_16", {4, Mode::training, device::Precision::bf16})};
}

TEST(PlacedTask, IsTheSumOfItsKernels) {
  const auto gpu = test::gpu_called("a30");
  for (const Job& job : some_jobs()) {
    for (const Task& task : job.tasks) {
      const PlacedTask placed(task, job.condition.precision, gpu);
      ASSERT_EQ(placed.demands().size(), task.forward.size() + task.backward.size());
      const Hertz clock = gpu.core.least * 2;
      Seconds total;
      Joules work;
      for (const auto* kernels : {&task.forward, &task.backward}) {
        for (const device::Kernel& kernel : *kernels) {
          const device::Demand demand = device::demand_of(kernel, job.condition.precision, gpu);
          total += device::time_of(demand, gpu, clock).total;
          work += demand.work;
        }
      }
      const device::Activity activity = placed.at(clock, gpu);
      EXPECT_EQ(activity.gpu, std::max(total, gpu.kernels.floor)) << task.kind;
      EXPECT_EQ(activity.time, activity.gpu);
      EXPECT_EQ(activity.host, Seconds{0});
      EXPECT_EQ(activity.work, work);
      EXPECT_LE(activity.busy, activity.gpu * (1 + 1e-12));
    }
  }
}

TEST(PlacedTask, WhatLaunchesNothingTakesTheLeastThatAnythingTakes) {
  const auto gpu = test::gpu_called("h200");
  EXPECT_EQ(PlacedTask(Task{}, device::Precision::tf32, gpu).at(gpu.core.most, gpu).gpu, gpu.kernels.floor);
}

TEST(PlacedTask, TakesNoLessAtALowerClock) {
  for (const std::string& device : device::device_names()) {
    const auto gpu = test::gpu_called(device);
    for (const Job& job : some_jobs()) {
      for (const Task& task : job.tasks) {
        const PlacedTask placed(task, job.condition.precision, gpu);
        Seconds last{1e9};
        for (const Hertz clock : test::clocks_of(gpu, 12)) {
          const Seconds now = placed.at(clock, gpu).gpu;
          ASSERT_LE(now, last * (1 + 1e-12)) << device << " " << task.kind << " " << task.description;
          last = now;
        }
      }
    }
  }
}

TEST(Settle, KeepsTheLimitAndTheClockThatWasAskedFor) {
  for (const char* device : {"a30", "v100", "h200"}) {
    const auto gpu = test::gpu_called(device);
    for (const Job& job : some_jobs()) {
      for (const Task& task : job.tasks) {
        const PlacedTask placed(task, job.condition.precision, gpu);
        const Watts low = device::equilibrium_of(placed.at(gpu.core.least, gpu), gpu, gpu.core.least).power;
        const Watts high = device::equilibrium_of(placed.at(gpu.core.most, gpu), gpu, gpu.core.most).power;
        const Watts limit = low + (high - low) * 0.6;
        const Hertz asked = gpu.core.least + (gpu.core.most - gpu.core.least) * 0.9;
        const Settled settled = settle(placed, gpu, asked, limit);
        ASSERT_LE(settled.clock, asked);
        ASSERT_LE(settled.power, limit * (1 + 1e-9)) << task.kind;
        ASSERT_EQ(settled.activity.gpu, placed.at(settled.clock, gpu).gpu);
        ASSERT_EQ(settled.power, device::equilibrium_of(settled.activity, gpu, settled.clock).power);
        // A scan of clocks finds none that is higher by more than its step.
        const auto clocks = test::clocks_of(gpu, 201);
        for (const Hertz clock : clocks) {
          if (clock <= settled.clock + (clocks[1] - clocks[0]) || clock > asked) continue;
          const auto there = device::equilibrium_of(placed.at(clock, gpu), gpu, clock);
          ASSERT_TRUE(there.power > limit || there.temperature > gpu.thermal.slowdown) << task.kind;
        }
      }
    }
  }
}

TEST(Settle, WithoutALimitRunsAtTheClockThatWasAskedFor) {
  const auto gpu = test::unlimited(test::gpu_called("a30"));
  for (const Job& job : some_jobs()) {
    for (const Task& task : job.tasks) {
      const PlacedTask placed(task, job.condition.precision, gpu);
      ASSERT_EQ(settle(placed, gpu, gpu.core.most, gpu.limit.usual).clock, gpu.core.most);
    }
  }
}

}  // namespace
}  // namespace ergon::predict
