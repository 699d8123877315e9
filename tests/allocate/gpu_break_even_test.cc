// The break-even found by bisection against a scan with full searches.

#include <gtest/gtest.h>

#include "allocate/gpu/break_even.h"
#include "allocate/gpu_works.h"

namespace ergon::allocate {
namespace {

using namespace literals;

// A GPU whose memory time does not depend on the core clock: lowering clocks always pays if switches are fast
// enough.
device::Specification chip_that_gains() {
  auto gpu = device::find_device("a100-sxm-80").value();
  gpu.memory.over_clock.points = {{gpu.core.min, 1}};
  gpu.kernels.cache_share = 0.01;
  gpu.power.busy = Watts{200};
  gpu.voltage.knee = gpu.core.max * 0.5;
  gpu.voltage.ratio_at_max = 1.5;
  gpu.limit.default_limit = gpu.limit.max = Watts{2000};
  gpu.thermal.slowdown = Celsius{300};
  return gpu;
}

double saving(const GpuWork& work, double slack, Seconds switch_time) {
  const GpuRequest request{.slack = slack, .switch_time = switch_time, .limits = {}};
  const Joules one = plan(work, GpuScheme::one_clock, request).value().energy;
  return 1 - (plan(work, GpuScheme::optimal, request).value().energy / one).si();
}

// Ten points per decade; near the threshold a quick search and a full one may differ.
void expect_agreement(const GpuWork& work, const BreakEvenOptions& question, const BreakEven& found) {
  constexpr double kNear = 1.15;
  for (double seconds = 1e-8; seconds < 0.1; seconds *= 1.2589) {
    const double pays_until = found.switch_time ? found.switch_time->si() : 0;
    if (seconds > pays_until / kNear && seconds < pays_until * kNear) continue;
    EXPECT_EQ(saving(work, question.slack, Seconds{seconds}) >= question.min_saving, seconds < pays_until)
        << seconds << " and " << pays_until;
  }
}

TEST(BreakEven, AgreesWithAScan) {
  const auto network = zoo_network("resnet18");
  for (const double slack : {0.02, 0.1}) {
    const GpuWork gains =
        GpuWork::of(network, chip_that_gains(), {.batch = 32, .clock_step = 60_MHz}).value();
    const BreakEvenOptions question{.slack = slack};
    const auto found = break_even(gains, question);
    ASSERT_TRUE(found);
    ASSERT_TRUE(found->switch_time) << found->saving_at_shortest;
    EXPECT_GT(*found->switch_time, 100_ns);
    EXPECT_LT(*found->switch_time, gains.gpu().clock_switch);
    expect_agreement(gains, question, *found);
    for (const char* const gpu : {"v100", "h200"}) {
      const GpuWork work = work_on(gpu, network, {.batch = 32, .clock_step = 60_MHz});
      const auto answer = break_even(work, question);
      ASSERT_TRUE(answer);
      expect_agreement(work, question, *answer);
    }
  }
}

TEST(BreakEven, MayBeAbsentOrBeyondTheRange) {
  const GpuWork work = GpuWork::of(tiny_network(), chip_that_gains(), {.batch = 64}).value();
  const auto never = break_even(work, {.slack = 0.02, .min_saving = 0.9});
  ASSERT_TRUE(never);
  EXPECT_FALSE(never->switch_time);
  EXPECT_LT(never->saving_at_shortest, 0.9);
  EXPECT_GT(never->saving_at_shortest, 0);
  const auto always = break_even(work, {.slack = 0.02, .min_saving = 0, .longest = 1_us});
  ASSERT_TRUE(always);
  EXPECT_EQ(*always->switch_time, 1_us);
}

TEST(BreakEven, AHigherSavingNeedsFasterSwitches) {
  const GpuWork work =
      GpuWork::of(zoo_network("resnet18"), chip_that_gains(), {.batch = 32, .clock_step = 60_MHz}).value();
  Seconds before = 1_s;
  for (const double min_saving : {0.005, 0.01, 0.02}) {
    const auto found = break_even(work, {.slack = 0.05, .min_saving = min_saving});
    ASSERT_TRUE(found);
    ASSERT_TRUE(found->switch_time);
    EXPECT_LE(*found->switch_time, before * 1.01);
    before = *found->switch_time;
  }
}

}  // namespace
}  // namespace ergon::allocate
