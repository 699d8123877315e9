#include <cmath>
#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "device/twin/twin.h"
#include "device/twin_loads.h"

namespace ergon::device {
namespace {

using namespace ergon::literals;

Specification any_device() { return device_called(*rc::gen::elementOf(device_names())); }

std::shared_ptr<const Load> any_load(const Specification& gpu) {
  const auto network = *rc::gen::element<std::string>("alexnet", "resnet18", "mobilenet_v2");
  return load_on(gpu, network, *rc::gen::element<std::int64_t>(1, 16, 128));
}

// From 0 to 1, in thousandths.
double any_share() { return *rc::gen::inRange(0, 1001) / 1000.0; }

// One action on a GPU, after a delay.
struct Act {
  std::int64_t after_us = 0;
  int what = 0;
  double share = 0;
};

void showValue(const Act& act, std::ostream& out) {
  out << "after " << act.after_us << " us act " << act.what << " with " << act.share;
}

std::vector<Act> any_acts() {
  const auto act = rc::gen::map(rc::gen::tuple(rc::gen::inRange<std::int64_t>(1, 300'000),
                                               rc::gen::inRange(0, 8), rc::gen::inRange(0, 1001)),
                                [](const std::tuple<std::int64_t, int, int>& t) {
                                  return Act{std::get<0>(t), std::get<1>(t), std::get<2>(t) / 1000.0};
                                });
  return *rc::gen::container<std::vector<Act>>(act);
}

void perform(Twin& gpu, const Act& act, const std::vector<std::shared_ptr<const Load>>& loads) {
  const Specification& spec = gpu.specification();
  switch (act.what) {
    case 0:
      return gpu.open_context();
    case 1:
      return gpu.close_context();
    case 2:
      return gpu.run(loads[0]);
    case 3:
      return gpu.run(loads[1], static_cast<std::int64_t>(act.share * 100));
    case 4:
      return gpu.stop();
    case 5:
      return gpu.unlock_clock();
    case 6:
      RC_ASSERT(gpu.lock_clock(spec.core.min + (spec.core.max - spec.core.min) * act.share));
      return;
    default:
      RC_ASSERT(gpu.set_limit(spec.limit.min + (spec.limit.max - spec.limit.min) * act.share));
  }
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * (1 + std::abs(a) + std::abs(b)); }

RC_GTEST_PROP(TwinProperty, DoesNotDependOnTheTimeSteps, ()) {
  const Specification spec = with_any_limit(any_device());
  const std::vector<std::shared_ptr<const Load>> loads{any_load(spec), any_load(spec)};
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  Twin whole(spec, seed), cut(spec, seed);
  for (const Act& act : any_acts()) {
    const auto pieces = *rc::gen::inRange<std::int64_t>(1, 20);
    whole.advance(Seconds{static_cast<double>(act.after_us) * 1e-6});
    for (std::int64_t i = 0; i < pieces; ++i) {
      cut.advance(Seconds{static_cast<double>(act.after_us) * 1e-6 / static_cast<double>(pieces)});
    }
    perform(whole, act, loads);
    perform(cut, act, loads);
    RC_ASSERT(whole.now() == cut.now());
    RC_ASSERT(near(whole.true_energy().si(), cut.true_energy().si()));
    RC_ASSERT(near(whole.energy_counter().value_or(0_J).si(), cut.energy_counter().value_or(0_J).si()));
    RC_ASSERT(near(whole.temperature().degrees(), cut.temperature().degrees()));
    RC_ASSERT(near(whole.iterations(), cut.iterations()));
    RC_ASSERT(whole.clock() == cut.clock());
    RC_ASSERT(whole.throttle() == cut.throttle());
    for (const SensorModel& sensor : spec.sensors) {
      RC_ASSERT(near(whole.power(sensor.field)->si(), cut.power(sensor.field)->si()));
    }
  }
}

RC_GTEST_PROP(TwinProperty, EnergyIsTheIntegralOfPowerAndTemperatureFollows, ()) {
  const Specification spec = with_any_limit(any_device());
  const std::vector<std::shared_ptr<const Load>> loads{any_load(spec), any_load(spec)};
  Twin gpu(spec);
  Joules sum;
  double degrees = gpu.temperature().degrees();
  for (const Act& act : any_acts()) {
    // Whole milliseconds, so that regulator ticks fall on step boundaries.
    const Seconds step = 0.25_ms;
    for (std::int64_t i = 0; i <= act.after_us / 1000 * 4; ++i) {
      gpu.advance(step / 2);
      const Watts power = gpu.true_power();
      gpu.advance(step / 2);
      sum += power * step;
      degrees += (step / spec.thermal.time_constant).si() *
                 (spec.thermal.ambient + spec.thermal.resistance * power - Celsius{degrees}).si();
    }
    perform(gpu, act, loads);
    // Loads with a number of iterations may end inside a step.
    RC_ASSERT(std::abs((gpu.true_energy() - sum).si()) <= 2e-3 * sum.si() + 0.5);
    RC_ASSERT(std::abs(gpu.temperature().degrees() - degrees) <= 0.05);
  }
}

RC_GTEST_PROP(TwinProperty, ALockedClockIsNotExceeded, ()) {
  const Specification spec = with_any_limit(any_device());
  const std::vector<std::shared_ptr<const Load>> loads{any_load(spec), any_load(spec)};
  Twin gpu(spec);
  gpu.run(loads[0]);
  const Hertz locked = spec.core.min + (spec.core.max - spec.core.min) * any_share();
  RC_ASSERT(gpu.lock_clock(locked));
  gpu.advance(spec.clock_switch);
  for (const Act& act : any_acts()) {
    for (int i = 0; i < 20; ++i) {
      gpu.advance(Seconds{static_cast<double>(act.after_us) * 1e-6 / 20});
      RC_ASSERT(gpu.clock() <= locked);
    }
    if (act.what != 5 && act.what != 6) perform(gpu, act, loads);
    RC_ASSERT(gpu.clock() <= locked);
  }
}

RC_GTEST_PROP(TwinProperty, ExceedsALimitForAtMostOnePeriod, ()) {
  const Specification spec = with_any_limit(any_device());
  const std::vector<std::shared_ptr<const Load>> loads{any_load(spec), any_load(spec)};
  const Watts limit = limit_between(spec, *loads[0], any_share());
  Twin gpu(spec);
  RC_ASSERT(gpu.set_limit(limit));
  const Seconds step = 1_ms;
  Seconds above;
  for (const Act& act : any_acts()) {
    for (std::int64_t i = 0; i <= act.after_us / 1000; ++i) {
      const bool was_running = gpu.running();
      gpu.advance(step);
      const bool could_be_kept = gpu.clock() > spec.core.min;
      above = gpu.true_power() > limit + 1_mW / 1000 && could_be_kept ? above + step : 0_s;
      if (was_running != gpu.running()) above = 0_s;
      RC_ASSERT(above <= spec.limit.period + 1_ns);
    }
    if (act.what == 7) continue;
    perform(gpu, act, loads);
    above = 0_s;  // a new load may exceed the limit for another period
  }
}

RC_GTEST_PROP(TwinProperty, EqualSeedsGiveEqualTwins, ()) {
  const Specification spec = any_device();
  const std::vector<std::shared_ptr<const Load>> loads{any_load(spec), any_load(spec)};
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  Twin one(spec, seed), other(spec, seed);
  for (const Act& act : any_acts()) {
    for (Twin* gpu : {&one, &other}) {
      gpu->advance(Seconds{static_cast<double>(act.after_us) * 1e-6});
      perform(*gpu, act, loads);
    }
    RC_ASSERT(one.true_energy() == other.true_energy());
    RC_ASSERT(one.temperature() == other.temperature());
    for (const SensorModel& sensor : spec.sensors) {
      RC_ASSERT(one.power(sensor.field).value() == other.power(sensor.field).value());
    }
  }
}

RC_GTEST_PROP(TwinProperty, SettlesAtTheSteadyState, ()) {
  const Specification spec = with_any_limit(any_device());
  const auto load = any_load(spec);
  const Watts limit = limit_between(spec, *load, any_share());
  const ClockAndLimit setting{std::nullopt, limit};
  Twin gpu(spec);
  RC_ASSERT(gpu.set_limit(limit));
  gpu.run(load);
  gpu.advance(spec.thermal.time_constant * 20);
  const Joules energy = gpu.true_energy();
  const double iterations = gpu.iterations();
  gpu.advance(20_s);
  const SteadyState steady = steady_state(*load, spec, setting);
  const Watts power = (gpu.true_energy() - energy) / 20_s;
  const double rate = (gpu.iterations() - iterations) / 20;
  // Just below the highest clock there is no second step above, so up to half a step is unused.
  RC_ASSERT(std::abs((power / steady.power).si() - 1) <= 0.02);
  RC_ASSERT(std::abs(rate * steady.activity.time.si() - 1) <= 0.02);
  RC_ASSERT(std::abs((gpu.temperature() - steady.temperature).si()) <= 0.5);
}

}  // namespace
}  // namespace ergon::device
