#include "predict/operation_rows.h"

#include <cmath>

#include <gtest/gtest.h>

#include "predict/features.h"
#include "predict/some_jobs.h"

namespace ergon::predict {
namespace {

using namespace literals;
using graph::Mode;

OperationSample sample_of(const Task& task, const Condition& condition, Seconds time) {
  OperationSample sample;
  sample.task = task;
  sample.condition = condition;
  sample.time = time;
  return sample;
}

const Condition kLargeBatch{64, Mode::inference, device::Precision::tf32};

// A task that is far from any floor, and one at it.
Task large() { return test::job_called("resnet50", kLargeBatch).tasks.at(0); }
Task tiny() {
  Task task;
  task.kind = "relu";
  task.forward.resize(1);
  task.forward[0].traffic = 1_KiB;
  return task;
}

TEST(HostCostsOf, WithoutRowsAreThoseOfTheTwin) {
  const auto gpu = test::gpu_called("a30");
  const HostCosts costs = host_costs({}, gpu);
  EXPECT_EQ(costs.of("conv", Mode::inference), gpu.host.inference);
  EXPECT_EQ(costs.of("conv", Mode::training), gpu.host.training);
}

TEST(HostCostsOf, AreTheMiddleOfWhatWasMeasured) {
  const auto gpu = test::gpu_called("a30");
  TrainingData data;
  for (const double us : {30, 10, 20, 40, 90}) {
    data.operations.push_back(sample_of(large(), kLargeBatch, 5_ms));
    data.operations.back().host = Seconds{us * 1e-6};
  }
  const HostCosts costs = host_costs(data, gpu);
  EXPECT_NEAR(costs.of("conv", Mode::inference).si(), 30e-6, 1e-12);
  // Of kinds that nobody measured, what is usual for those that were; the other mode knows nothing yet.
  EXPECT_NEAR(costs.of("softmax", Mode::inference).si(), 30e-6, 1e-12);
  EXPECT_EQ(costs.of("conv", Mode::training), gpu.host.training);
}

TEST(HostCostsOf, TimesOfTinyOperationsStandInForThem) {
  const auto gpu = test::gpu_called("a30");
  TrainingData data;
  data.operations.push_back(sample_of(tiny(), kLargeBatch, 12_us));
  data.operations.push_back(sample_of(large(), kLargeBatch, 5_ms));
  const HostCosts costs = host_costs(data, gpu);
  EXPECT_NEAR(costs.of("relu", Mode::inference).si(), 12e-6, 1e-12);
  EXPECT_NEAR(costs.of("conv", Mode::inference).si(), 12e-6, 1e-12);
  data.operations.push_back(sample_of(tiny(), kLargeBatch, 13_us));
  data.operations.back().host = 7_us;
  EXPECT_NEAR(host_costs(data, gpu).of("relu", Mode::inference).si(), 7e-6, 1e-12) << "measured is better";
}

// Nine of ten small operations draw more than an idle device, one next to nothing more.
TEST(HostCostsOf, KnowWhatAnIdleDeviceDraws) {
  const auto gpu = test::gpu_called("a30");
  TrainingData data;
  EXPECT_EQ(host_costs(data, gpu).idle_in(Mode::inference), std::nullopt);
  for (int i = 0; i <= 10; ++i) {
    data.operations.push_back(sample_of(tiny(), kLargeBatch, 12_us));
    data.operations.back().power = Watts{50.0 + i};
  }
  data.operations.push_back(sample_of(large(), kLargeBatch, 5_ms));
  data.operations.back().power = 10_W;
  EXPECT_NEAR(host_costs(data, gpu).idle_in(Mode::inference)->si(), 51, 1e-9) << "large ones do not wait";
  EXPECT_EQ(host_costs(data, gpu).idle_in(Mode::training), std::nullopt);
  data.operations.back().host = 4.9_ms;
  EXPECT_LT(host_costs(data, gpu).idle_in(Mode::inference)->si(), 51) << "this one did";
}

TEST(HostCostsOf, ReplayedRowsSayNothingOfTheHost) {
  const auto gpu = test::gpu_called("a30");
  TrainingData data;
  data.operations.push_back(sample_of(tiny(), kLargeBatch, 3_us));
  data.operations.back().kernels_only = true;
  EXPECT_EQ(host_costs(data, gpu).of("relu", Mode::inference), gpu.host.inference);
}

TEST(OperationRows, AreRatiosToThePhysicalEstimateAtTheirClock) {
  const auto gpu = test::gpu_called("a30");
  TrainingData data;
  for (const std::optional<Hertz> clock : {std::optional<Hertz>(), std::optional(gpu.core.least * 2)}) {
    const PlacedTask placed(large(), kLargeBatch.precision, gpu);
    const Settled settled = settle(placed, gpu, clock.value_or(gpu.core.most), gpu.limit.usual);
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

TEST(OperationRows, CountByHowMuchTheyTellOfTheKernels) {
  const auto gpu = test::gpu_called("a30");
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
  EXPECT_GT(rows[4].busy(20_us), 0.9) << "ten times as long as its host needs: its kernels must be slow";
}

TEST(RangeOf, IsTheLeastAndMostThatWasMoved) {
  TrainingData data;
  for (const double bytes : {5e3, 1e3, 7e5}) {
    Task task = tiny();
    task.forward[0].traffic = Bytes{bytes};
    data.operations.push_back(sample_of(task, kLargeBatch, 20_us));
  }
  data.operations.push_back(sample_of(tiny(), {64, Mode::training, {}}, 20_us));
  const Range range = range_of(data);
  ASSERT_EQ(range.size(), 2U);
  const Seen& seen = range.at({"relu", Mode::inference});
  EXPECT_EQ(seen.rows, 3);
  EXPECT_EQ(seen.least, 1e3);
  EXPECT_EQ(seen.most, 7e5);
  EXPECT_EQ(range.at({"relu", Mode::training}).rows, 1);
}

}  // namespace
}  // namespace ergon::predict
