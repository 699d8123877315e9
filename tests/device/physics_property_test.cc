#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "device/twin/estimate.h"
#include "device/twin_loads.h"

namespace ergon::device {
namespace {

using namespace literals;

struct Case {
  Specification gpu;
  std::string network;
  std::int64_t batch = 1;
};

Case any_case() {
  return {device_called(*rc::gen::elementOf(device_names())),
          *rc::gen::element<std::string>("resnet18", "alexnet", "mobilenet_v2", "squeezenet1_1"),
          *rc::gen::element<std::int64_t>(1, 2, 4, 8, 16, 32, 64)};
}

Hertz any_clock(const Specification& gpu) {
  return gpu.core.min + (gpu.core.max - gpu.core.min) * (*rc::gen::inRange(0, 1001) / 1000.0);
}

RC_GTEST_PROP(Physics, AHigherClockIsNeverSlowerAndDrawsNoLess, ()) {
  const Case at = any_case();
  const auto load = load_on(at.gpu, at.network, at.batch);
  const Hertz a = any_clock(at.gpu), b = any_clock(at.gpu);
  const Hertz slow = std::min(a, b), fast = std::max(a, b);
  const Activity busy = load->at(slow);
  RC_ASSERT(load->at(fast).time <= busy.time * (1 + 1e-12));
  // If launches limit the time and the voltage does not rise, a higher clock idles longer and may save a
  // little power: at most 1.5 % over twelve GPUs and five networks.
  const double saved = busy.host > busy.gpu / 2 ? 0.02 : 1e-12;
  RC_ASSERT(equilibrium_of(load->at(fast), at.gpu, fast).power >=
            equilibrium_of(busy, at.gpu, slow).power * (1 - saved));
}

RC_GTEST_PROP(Physics, ALowerLimitIsNeverFasterAndNeverExceeded, ()) {
  const Case at = any_case();
  const auto load = load_on(at.gpu, at.network, at.batch);
  const auto between = [&](double way) {
    return at.gpu.limit.min + (at.gpu.limit.max - at.gpu.limit.min) * way;
  };
  const double x = *rc::gen::inRange(0, 1001) / 1000.0, y = *rc::gen::inRange(0, 1001) / 1000.0;
  const SteadyState low = steady_state(*load, at.gpu, {{}, between(std::min(x, y))});
  const SteadyState high = steady_state(*load, at.gpu, {{}, between(std::max(x, y))});
  RC_ASSERT(low.activity.time >= high.activity.time * (1 - 1e-12));
  RC_ASSERT(low.power <= high.power * (1 + 1e-9));
  const Watts kept = std::max(between(std::min(x, y)), at.gpu.limit.holds_from);
  RC_ASSERT(low.clock == at.gpu.core.min || low.power <= kept * (1 + 1e-9));
}

RC_GTEST_PROP(Physics, ALargerBatchNeedsNoMoreEnergyPerSampleWhenLaunchBound, ()) {
  const Case at = any_case();
  const auto small = load_on(at.gpu, at.network, at.batch), large = load_on(at.gpu, at.network, 2 * at.batch);
  const SteadyState one = steady_state(*small, at.gpu, {}), two = steady_state(*large, at.gpu, {});
  RC_PRE(two.activity.host > two.activity.gpu);
  const auto each = static_cast<double>(at.batch);
  const Joules before = one.power * one.activity.time / each,
               after = two.power * two.activity.time / (2 * each);
  RC_ASSERT(after <= before * (1 + 1e-9));
}

RC_GTEST_PROP(Physics, ALargerBatchTakesNoLessTime, ()) {
  const Case at = any_case();
  const Hertz clock = any_clock(at.gpu);
  RC_ASSERT(load_on(at.gpu, at.network, 2 * at.batch)->at(clock).time >=
            load_on(at.gpu, at.network, at.batch)->at(clock).time * (1 - 1e-12));
}

RC_GTEST_PROP(Physics, ALockedClockIsNeverExceeded, ()) {
  const Case at = any_case();
  const Hertz clock = any_clock(at.gpu);
  RC_ASSERT(steady_state(*load_on(at.gpu, at.network, at.batch), at.gpu, {clock, {}}).clock <= clock);
}

// The equilibrium is a fixed point of power and temperature.
RC_GTEST_PROP(Physics, TemperatureAndPowerAreConsistent, ()) {
  const Case at = any_case();
  const Hertz clock = any_clock(at.gpu);
  const Activity activity = load_on(at.gpu, at.network, at.batch)->at(clock);
  const Equilibrium settled = equilibrium_of(activity, at.gpu, clock);
  const Watts power = power_of(activity, at.gpu, clock, settled.temperature);
  RC_ASSERT(std::abs((power - settled.power).si()) < 1e-9 * power.si());
  const Celsius temperature = at.gpu.thermal.ambient + at.gpu.thermal.resistance * power;
  RC_ASSERT(std::abs((temperature - settled.temperature).si()) < 1e-6);
}

}  // namespace
}  // namespace ergon::device
