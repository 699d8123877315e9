#include "predict/samples/operation_rows.h"

#include <cmath>

#include <gtest/gtest.h>

#include "predict/estimate/some_iterations.h"
#include "predict/learn/features.h"

namespace ergon::predict {
namespace {

using namespace literals;
using graph::Mode;

OperationSample sample_of(const Task& task, const WorkloadConfig& config, Seconds time) {
  OperationSample sample;
  sample.task = task;
  sample.config = config;
  sample.time = time;
  return sample;
}

const WorkloadConfig kLargeBatch{64, Mode::inference, device::Precision::tf32};

// A task with long kernels, and one with negligibly short ones.
Task large() { return test::iteration_named("resnet50", kLargeBatch).tasks.at(0); }
Task tiny() {
  Task task;
  task.kind = "relu";
  task.forward.resize(1);
  task.forward[0].traffic = 1_KiB;
  return task;
}

TEST(LaunchOverheadOf, IsTheTwinsWithoutRows) {
  const auto gpu = test::gpu_named("a30");
  const LaunchOverhead overhead = launch_overhead_of({}, gpu);
  EXPECT_EQ(overhead.of("conv", Mode::inference), gpu.host.inference);
  EXPECT_EQ(overhead.of("conv", Mode::training), gpu.host.training);
}

TEST(LaunchOverheadOf, IsTheMedianOfMeasuredLaunches) {
  const auto gpu = test::gpu_named("a30");
  TrainingData data;
  for (const double us : {30, 10, 20, 40, 90}) {
    data.operations.push_back(sample_of(large(), kLargeBatch, 5_ms));
    data.operations.back().host = Seconds{us * 1e-6};
  }
  const LaunchOverhead overhead = launch_overhead_of(data, gpu);
  EXPECT_NEAR(overhead.of("conv", Mode::inference).si(), 30e-6, 1e-12);
  // Other operation types get the median of all; the other mode keeps the twin's.
  EXPECT_NEAR(overhead.of("softmax", Mode::inference).si(), 30e-6, 1e-12);
  EXPECT_EQ(overhead.of("conv", Mode::training), gpu.host.training);
}

TEST(LaunchOverheadOf, UsesTheTimeOfShortOperations) {
  const auto gpu = test::gpu_named("a30");
  TrainingData data;
  data.operations.push_back(sample_of(tiny(), kLargeBatch, 12_us));
  data.operations.push_back(sample_of(large(), kLargeBatch, 5_ms));
  const LaunchOverhead overhead = launch_overhead_of(data, gpu);
  EXPECT_NEAR(overhead.of("relu", Mode::inference).si(), 12e-6, 1e-12);
  EXPECT_NEAR(overhead.of("conv", Mode::inference).si(), 12e-6, 1e-12);
  data.operations.push_back(sample_of(tiny(), kLargeBatch, 13_us));
  data.operations.back().host = 7_us;
  EXPECT_NEAR(launch_overhead_of(data, gpu).of("relu", Mode::inference).si(), 7e-6, 1e-12)
      << "a measured launch is preferred";
}

// Idle power is the 10 % quantile of the power of short operations.
TEST(LaunchOverheadOf, FindsIdlePower) {
  const auto gpu = test::gpu_named("a30");
  TrainingData data;
  EXPECT_EQ(launch_overhead_of(data, gpu).idle_in(Mode::inference), std::nullopt);
  for (int i = 0; i <= 10; ++i) {
    data.operations.push_back(sample_of(tiny(), kLargeBatch, 12_us));
    data.operations.back().power = Watts{50.0 + i};
  }
  data.operations.push_back(sample_of(large(), kLargeBatch, 5_ms));
  data.operations.back().power = 10_W;
  EXPECT_NEAR(launch_overhead_of(data, gpu).idle_in(Mode::inference)->si(), 51, 1e-9)
      << "long operations are not host-bound";
  EXPECT_EQ(launch_overhead_of(data, gpu).idle_in(Mode::training), std::nullopt);
  data.operations.back().host = 4.9_ms;
  EXPECT_LT(launch_overhead_of(data, gpu).idle_in(Mode::inference)->si(), 51) << "this one is host-bound";
}

TEST(LaunchOverheadOf, IgnoresReplayedRows) {
  const auto gpu = test::gpu_named("a30");
  TrainingData data;
  data.operations.push_back(sample_of(tiny(), kLargeBatch, 3_us));
  data.operations.back().kernels_only = true;
  EXPECT_EQ(launch_overhead_of(data, gpu).of("relu", Mode::inference), gpu.host.inference);
}

TEST(OperationRows, AreRatiosToThePhysicalEstimateAtTheirClock) {
  const auto gpu = test::gpu_named("a30");
  TrainingData data;
  for (const std::optional<Hertz> clock : {std::optional<Hertz>(), std::optional(gpu.core.min * 2)}) {
    const TaskEstimate estimate(large(), kLargeBatch.precision, gpu);
    const Settled settled = settle(estimate, gpu, clock.value_or(gpu.core.max), gpu.limit.default_limit);
    OperationSample sample = sample_of(large(), kLargeBatch, settled.activity.gpu * 1.5);
    sample.power = settled.power * 0.8;
    sample.clock = clock;
    data.operations.push_back(sample);
  }
  const auto rows = operation_rows(data, gpu);
  ASSERT_EQ(rows.size(), 2U);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].sample, &data.operations[i]);
    EXPECT_NEAR(rows[i].time_ratio(), std::log(1.5), 1e-9);
    EXPECT_NEAR(rows[i].power_ratio(), std::log(0.8), 1e-9);
    EXPECT_EQ(rows[i].features.size(), feature_count());
  }
  EXPECT_GT(rows[1].settled, rows[0].settled);
}

TEST(OperationRows, AreWeightedByTheirShareOfKernelTime) {
  const auto gpu = test::gpu_named("a30");
  TrainingData data;
  data.operations.push_back(sample_of(large(), kLargeBatch, 5_ms));
  data.operations.push_back(sample_of(tiny(), kLargeBatch, 20_us));
  data.operations.push_back(sample_of(tiny(), kLargeBatch, 2_us));
  data.operations.back().kernels_only = true;
  data.operations.push_back(sample_of(large(), kLargeBatch, 5_ms));
  data.operations.back().host = 4.9_ms;
  data.operations.push_back(sample_of(tiny(), kLargeBatch, 200_us));
  const auto rows = operation_rows(data, gpu);
  EXPECT_GT(rows[0].busy(20_us), 0.95);
  EXPECT_LT(rows[1].busy(20_us), 0.1);
  EXPECT_GT(rows[1].busy(20_us), 0);
  EXPECT_EQ(rows[2].busy(20_us), 1);
  EXPECT_LT(rows[3].busy(20_us), 0.5 * rows[0].busy(20_us));
  EXPECT_GT(rows[4].busy(20_us), 0.9) << "ten times the launch overhead: slow kernels";
}

TEST(RangeOf, IsTheMinAndMaxTraffic) {
  TrainingData data;
  for (const double bytes : {5e3, 1e3, 7e5}) {
    Task task = tiny();
    task.forward[0].traffic = Bytes{bytes};
    data.operations.push_back(sample_of(task, kLargeBatch, 20_us));
  }
  data.operations.push_back(sample_of(tiny(), {64, Mode::training, {}}, 20_us));
  const TrainingRange range = range_of(data);
  ASSERT_EQ(range.size(), 2U);
  const TrafficRange& traffic = range.at({"relu", Mode::inference});
  EXPECT_EQ(traffic.rows, 3);
  EXPECT_EQ(traffic.min, 1e3);
  EXPECT_EQ(traffic.max, 7e5);
  EXPECT_EQ(range.at({"relu", Mode::training}).rows, 1);
}

}  // namespace
}  // namespace ergon::predict
