#include "predict/estimate/iteration_estimate.h"

#include <gtest/gtest.h>

#include "predict/estimate/some_iterations.h"

namespace ergon::predict {
namespace {

using device::Precision;
using graph::Mode;

// A copy that a convolution makes takes GPU time but no launch.
TEST(IterationEstimate, CopiesInsideACallHaveNoLaunchOverhead) {
  const auto gpu = test::gpu_named("h200");
  const Iteration iteration =
      test::iteration_named("shufflenet_v2_x1_0", {8, Mode::inference, Precision::bf16});
  const IterationEstimate estimate = estimate_iteration(iteration, gpu, default_launch_overhead(gpu));
  int copies = 0;
  for (std::size_t i = 0; i < iteration.tasks.size(); ++i) {
    const bool is_copy = iteration.tasks[i].kind == "channel_copy";
    EXPECT_EQ(estimate.costs[i].host == Seconds{0}, is_copy) << iteration.tasks[i].kind;
    if (!is_copy) continue;
    ++copies;
    EXPECT_GT(estimate.tasks[i].at(gpu.core.max, gpu).gpu, Seconds{0});
  }
  EXPECT_EQ(copies, 3);
}

TEST(IterationEstimate, ChannelsLastConvolutionsAreASeparateClass) {
  const auto gpu = test::gpu_named("h200");
  for (const Mode mode : {Mode::inference, Mode::training}) {
    const Iteration iteration = test::iteration_named("convnext_tiny", {4, mode, Precision::tf32});
    const IterationEstimate estimate = estimate_iteration(iteration, gpu, default_launch_overhead(gpu));
    const OperationClass expected =
        mode == Mode::training ? OperationClass::channels_last : OperationClass::convolution;
    for (std::size_t i = 0; i < iteration.tasks.size(); ++i) {
      if (iteration.tasks[i].kind == "depthwise_conv") {
        EXPECT_EQ(estimate.costs[i].operation_class, expected);
      }
    }
  }
}

TEST(Correction, ShiftsEachOperationClass) {
  const Correction correction{.products = 0.1, .memory_bound = 0.2, .channels_last = 0.3};
  EXPECT_EQ(correction.shift_of(OperationClass::product), 0.1);
  EXPECT_EQ(correction.shift_of(OperationClass::memory_bound), 0.2);
  EXPECT_EQ(correction.shift_of(OperationClass::channels_last), 0.3);
  EXPECT_EQ(correction.shift_of(OperationClass::convolution), 0);
}

}  // namespace
}  // namespace ergon::predict
