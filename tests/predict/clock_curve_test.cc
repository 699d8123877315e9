// Interpolated curves compared with the exact sum over all tasks at every clock.

#include "predict/clock_curve.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "device/twin/load.h"
#include "predict/estimate/some_iterations.h"

namespace ergon::predict {
namespace {

using graph::Mode;

struct Case {
  std::string device;
  std::string network;
  WorkloadConfig config;
};

// A network on a device, computed exactly and as a curve.
class Both {
 public:
  explicit Both(const Case& each)
      : gpu(test::gpu_named(each.device)), host(test::host_of(iteration(each), gpu)) {
    for (const Task& task : iteration(each).tasks)
      estimate_.emplace_back(task.count, TaskEstimate(task, each.config.precision, gpu));
    curve = ClockCurve(
        gpu, [this](Hertz clock) { return exact(clock); }, host);
  }

  device::Activity exact(Hertz clock) const {
    device::Activity sum;
    for (const auto& [count, task] : estimate_) {
      const device::Activity each = task.at(clock, gpu);
      sum.gpu += each.gpu * count;
      sum.busy += each.busy * count;
      sum.work += each.work * count;
      sum.transfers += each.transfers * count;
    }
    sum.host = host;
    sum.time = device::iteration_time(sum.gpu, host);
    return sum;
  }

  device::Specification gpu;
  Seconds host;
  ClockCurve curve;

 private:
  static const Iteration& iteration(const Case& each) {
    static std::map<std::pair<std::string, WorkloadConfig>, Iteration> known;
    const std::pair key{each.network, each.config};
    if (!known.contains(key)) known[key] = test::iteration_named(each.network, each.config);
    return known[key];
  }

  std::vector<std::pair<double, TaskEstimate>> estimate_;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  const std::vector<std::pair<std::string, WorkloadConfig>> networks{
      {"resnet50", {32, Mode::inference, device::Precision::tf32}},
      {"mobilenet_v2", {64, Mode::training, device::Precision::fp32}},
      {"vgg16", {8, Mode::inference, device::Precision::fp16}},
      {"densenet121", {1, Mode::inference, device::Precision::tf32}},
      {"vit_b_16", {16, Mode::training, device::Precision::bf16}},
  };
  for (const std::string& device : device::device_names()) {
    for (const auto& [network, config] : networks) all.push_back({device, network, config});
  }
  return all;
}

TEST(ClockCurve, IsWithinOneThousandthOfTheExactSum) {
  for (const Case& each : cases()) {
    const Both both(each);
    for (const Hertz clock : test::clocks_of(both.gpu, 97)) {
      const auto exact = both.exact(clock);
      const auto point = both.curve.at(both.gpu, clock);
      const Watts power = device::equilibrium_of(exact, both.gpu, clock).power;
      ASSERT_EQ(point.clock, clock);
      ASSERT_LT(test::off(point.kernels.si(), exact.gpu.si()), 1e-3)
          << each.device << " " << each.network << " at " << clock.si();
      ASSERT_LT(test::off(point.time.si(), exact.time.si()), 1e-3)
          << each.device << " " << each.network << " at " << clock.si();
      ASSERT_LT(test::off(point.power.si(), power.si()), 1e-3)
          << each.device << " " << each.network << " at " << clock.si();
    }
  }
}

TEST(ClockCurve, TimeNeverFallsAtLowerClocks) {
  for (const Case& each : cases()) {
    const Both both(each);
    Seconds last{1e9};
    for (const Hertz clock : test::clocks_of(both.gpu, 301)) {
      const Seconds now = both.curve.at(both.gpu, clock).time;
      ASSERT_LE(now, last * (1 + 1e-12)) << each.device << " " << each.network << " at " << clock.si();
      last = now;
    }
  }
}

// From the power at the lowest clock to that at the highest, and slightly beyond.
std::vector<Watts> limits_of(const Both& both) {
  const Watts low = both.curve.at(both.gpu, both.gpu.core.min).power;
  const Watts high = both.curve.at(both.gpu, both.gpu.core.max).power;
  std::vector<Watts> limits;
  for (const double way : {-0.2, 0.05, 0.3, 0.5, 0.8, 0.99, 1.1}) limits.push_back(low + (high - low) * way);
  return limits;
}

TEST(ClockCurve, SettlesAtTheHighestClockWithinTheLimit) {
  for (const Case& each : cases()) {
    Both both(each);
    both.gpu.limit.holds_from = Watts{0};
    both.gpu.thermal.slowdown = Celsius{1000};  // thermal limits are tested elsewhere
    const auto clocks = test::clocks_of(both.gpu, 501);
    const Hertz step = clocks[1] - clocks[0];
    for (const Watts limit : limits_of(both)) {
      for (const Hertz requested : {both.gpu.core.max, clocks[333]}) {
        const auto point = both.curve.settle(both.gpu, requested, limit);
        // A scan of all clocks up to the requested one.
        Hertz best = both.gpu.core.min;
        for (const Hertz clock : clocks) {
          if (clock <= requested && both.curve.at(both.gpu, clock).power <= limit)
            best = std::max(best, clock);
        }
        ASSERT_LE(point.clock, requested);
        ASSERT_NEAR(point.clock.si(), best.si(), step.si()) << each.device << " " << each.network;
        ASSERT_EQ(point.limited, point.clock < requested);
        ASSERT_EQ(point.limit_held, point.power <= limit * (1 + 1e-9));
        ASSERT_TRUE(point.limit_held || point.clock == both.gpu.core.min);
      }
    }
  }
}

TEST(ClockCurve, ReportsALimitBelowWhatTheBoardEnforcesAsNotHeld) {
  Both both({"a30", "resnet50", {64, Mode::training, device::Precision::tf32}});
  const Watts low = both.curve.at(both.gpu, both.gpu.core.min).power;
  both.gpu.limit.holds_from = low * 1.3;
  const auto point = both.curve.settle(both.gpu, both.gpu.core.max, low * 1.1);
  EXPECT_FALSE(point.limit_held);
  EXPECT_TRUE(point.limited);
  EXPECT_NEAR(point.power.si(), (low * 1.3).si(), 1e-3);
}

TEST(ClockCurve, SettingOneClockScalesAllOthers) {
  const Case each{"v100", "resnet50", {64, Mode::inference, device::Precision::tf32}};
  const Both twin(each);
  Both scaled(each);
  const Hertz there = twin.gpu.core.min * 1.5;
  scaled.curve.set_kernels(scaled.gpu, there, twin.curve.at(twin.gpu, there).kernels * 1.4);
  scaled.curve.set_power(scaled.gpu, there, Watts{123});
  EXPECT_NEAR(scaled.curve.at(scaled.gpu, there).power.si(), 123, 1e-9);
  for (const Hertz clock : test::clocks_of(twin.gpu, 20)) {
    EXPECT_NEAR((scaled.curve.at(scaled.gpu, clock).kernels / twin.curve.at(twin.gpu, clock).kernels).si(),
                1.4, 1e-9);
  }
  scaled.curve.set_host(Seconds{10});
  EXPECT_NEAR(scaled.curve.at(scaled.gpu, there).time.si(), 10, 1e-6);
}

TEST(ClockCurve, ClampsClocksOutsideTheRange) {
  const Both both({"a30", "alexnet", {8, Mode::inference, device::Precision::tf32}});
  const auto& gpu = both.gpu;
  EXPECT_EQ(both.curve.at(gpu, gpu.core.max * 2).kernels, both.curve.at(gpu, gpu.core.max).kernels);
  EXPECT_EQ(both.curve.at(gpu, gpu.core.min / 2).kernels, both.curve.at(gpu, gpu.core.min).kernels);
}

}  // namespace
}  // namespace ergon::predict
