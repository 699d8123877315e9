#include "allocate/gpu/gpu_allocation.h"

#include <gtest/gtest.h>

#include "allocate/gpu_works.h"

namespace ergon::allocate {
namespace {

TEST(GpuAllocation, PlansEverySchemeOnce) {
  const GpuWork work = work_on("v100", tiny_network(), {.batch = 32});
  const auto allocation = plan_all(work, kDefaultGpuSlack);
  ASSERT_TRUE(allocation) << allocation.error().message;
  ASSERT_EQ(allocation->schedules.size(), all_gpu_schemes().size());
  for (const GpuScheme scheme : all_gpu_schemes()) EXPECT_EQ(allocation->of(scheme).scheme, scheme);
  EXPECT_EQ(allocation->race_to_idle().scheme, GpuScheme::race_to_idle);
  EXPECT_EQ(allocation->slack, kDefaultGpuSlack);
  EXPECT_LE(allocation->of(GpuScheme::optimal).energy, allocation->of(GpuScheme::one_clock).energy);
  EXPECT_LE(allocation->of(GpuScheme::optimal).time, budget_of(work, kDefaultGpuSlack) * (1 + 1e-9));
}

}  // namespace
}  // namespace ergon::allocate
