#include "predict/placed_job.h"

#include <gtest/gtest.h>

#include "predict/some_jobs.h"

namespace ergon::predict {
namespace {

using device::Precision;
using graph::Mode;

// What a convolution copies for itself takes the GPU's time and none of the host's.
TEST(PlacedJob, CopiesWithinACallCostTheHostNothing) {
  const auto gpu = test::gpu_called("h200");
  const Job job = test::job_called("shufflenet_v2_x1_0", {8, Mode::inference, Precision::bf16});
  const PlacedJob placed = place(job, gpu, usual_hosts(gpu));
  int copies = 0;
  for (std::size_t i = 0; i < job.tasks.size(); ++i) {
    const bool within = job.tasks[i].kind == "channel_copy";
    EXPECT_EQ(placed.parts[i].host == Seconds{0}, within) << job.tasks[i].kind;
    if (!within) continue;
    ++copies;
    EXPECT_GT(placed.tasks[i].at(gpu.core.most, gpu).gpu, Seconds{0});
  }
  EXPECT_EQ(copies, 3);
}

TEST(PlacedJob, FiltersOfTurnedImagesAreASortOfTheirOwn) {
  const auto gpu = test::gpu_called("h200");
  for (const Mode mode : {Mode::inference, Mode::training}) {
    const Job job = test::job_called("convnext_tiny", {4, mode, Precision::tf32});
    const PlacedJob placed = place(job, gpu, usual_hosts(gpu));
    const Sort expected = mode == Mode::training ? Sort::turned : Sort::convolution;
    for (std::size_t i = 0; i < job.tasks.size(); ++i) {
      if (job.tasks[i].kind == "depthwise_conv") {
        EXPECT_EQ(placed.parts[i].sort, expected);
      }
    }
  }
}

TEST(Correction, ShiftsEachSortByItsOwn) {
  const Correction correction{.products = 0.1, .moves = 0.2, .turned = 0.3};
  EXPECT_EQ(correction.shift_of(Sort::product), 0.1);
  EXPECT_EQ(correction.shift_of(Sort::move), 0.2);
  EXPECT_EQ(correction.shift_of(Sort::turned), 0.3);
  EXPECT_EQ(correction.shift_of(Sort::convolution), 0);
}

}  // namespace
}  // namespace ergon::predict
