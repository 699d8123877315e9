#include "device/twin/twin.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <gtest/gtest.h>

#include "device/twin_loads.h"

namespace ergon::device {
namespace {

using namespace ergon::literals;

constexpr Seconds kWarm = 300_s;  // much longer than every thermal time constant

template <typename Q>
double ratio(Q a, Q b) {
  return (a / b).si();
}

struct Means {
  Watts power;
  Hertz clock;
  double iterations_per_second;
};

// Mean true power over some time from now.
Means means_over(Twin& gpu, Seconds time) {
  const Joules energy = gpu.true_energy();
  const double iterations = gpu.iterations();
  const int steps = static_cast<int>(time.si() * 1000);
  Hertz clocks;
  for (int i = 0; i < steps; ++i) {
    gpu.advance(1_ms);
    clocks += gpu.clock();
  }
  return {(gpu.true_energy() - energy) / time, clocks / steps, (gpu.iterations() - iterations) / time.si()};
}

TEST(Twin, IsBareUntilAContextIsOpened) {
  const Specification spec = without_noise(device_called("h200"));
  Twin gpu(spec);
  EXPECT_EQ(gpu.now(), 0_s);
  gpu.advance(5_s);
  EXPECT_EQ(gpu.now(), 5_s);
  const Watts leakage = spec.power.leakage * Kelvins{std::abs(gpu.temperature().degrees() - 40)};
  EXPECT_NEAR(gpu.true_power().si(), spec.power.bare.si(), leakage.si() + 1e-9);
  EXPECT_NEAR(gpu.power("usage")->si(), gpu.true_power().si(), 1e-6);
  EXPECT_EQ(gpu.clock(), spec.core.min);

  gpu.open_context();
  gpu.advance(kWarm);
  EXPECT_EQ(gpu.clock(), spec.core.max);
  const Equilibrium resident = equilibrium_of(Activity{}, spec, spec.core.max);
  EXPECT_NEAR(gpu.true_power().si(), resident.power.si(), 1e-6);
  EXPECT_NEAR(gpu.temperature().degrees(), resident.temperature.degrees(), 1e-6);
  EXPECT_GT(gpu.true_power(), spec.power.bare + spec.power.resident * 0.9);

  gpu.close_context();
  gpu.advance(kWarm);
  EXPECT_EQ(gpu.clock(), spec.core.min);
  EXPECT_NEAR(gpu.true_power().si(), spec.power.bare.si(), leakage.si() + 1e-9);
  EXPECT_EQ(gpu.iterations(), 0);
}

TEST(Twin, SettlesAtTheSteadyState) {
  for (const std::string& name : device_names()) {
    const Specification spec = device_called(name);
    const auto load = load_on(spec);
    Twin gpu(spec);
    gpu.run(load);
    gpu.advance(kWarm);
    const SteadyState steady = steady_state(*load, spec, {});
    const Means means = means_over(gpu, 20_s);
    // Just below the highest clock there is no second step above, so up to half a step is unused.
    EXPECT_NEAR(ratio(means.power, steady.power), 1.0, 0.02) << name;
    EXPECT_NEAR(gpu.temperature().degrees(), steady.temperature.degrees(), 0.5) << name;
    EXPECT_NEAR(ratio(means.clock, steady.clock), 1.0, 0.01) << name;
    EXPECT_NEAR(means.iterations_per_second * steady.activity.time.si(), 1, 0.01) << name;
    EXPECT_EQ(static_cast<bool>(gpu.throttle()), steady.limited) << name;
  }
}

TEST(Twin, TemperatureSettlesToTheEquilibrium) {
  const Specification spec = device_called("h200");
  const auto load = load_on(spec);
  const Hertz clock = 990_MHz;
  Twin gpu(spec);
  ASSERT_TRUE(gpu.lock_clock(clock));
  gpu.advance(spec.clock_switch);
  gpu.run(load);
  gpu.advance(kWarm);
  const Equilibrium balance = equilibrium_of(load->at(clock), spec, clock);
  EXPECT_NEAR(gpu.temperature().degrees(), balance.temperature.degrees(), 1e-6);
  EXPECT_NEAR(gpu.true_power().si(), balance.power.si(), 1e-6);
}

TEST(Twin, ClocksAreOnTheGridAndNotAboveTheLock) {
  for (const char* name : {"h200", "v100s", "p100"}) {
    const Specification spec = device_called(name);
    const auto load = load_on(spec);
    Twin gpu(spec);
    gpu.run(load);
    EXPECT_EQ(gpu.clock(), spec.core.max);
    const Hertz asked = spec.core.min + spec.core.step * 20.7;
    ASSERT_TRUE(gpu.lock_clock(asked));
    EXPECT_EQ(gpu.locked_clock(), asked);
    gpu.advance(spec.clock_switch);
    EXPECT_EQ(gpu.clock(), spec.core.min + spec.core.step * 20.0) << name;
    gpu.unlock_clock();
    gpu.advance(spec.clock_switch);
    EXPECT_GT(gpu.clock(), asked) << name;
    ASSERT_TRUE(gpu.lock_clock(spec.core.max));
    ASSERT_TRUE(gpu.lock_clock(spec.core.min));
    gpu.advance(spec.clock_switch);
    EXPECT_EQ(gpu.clock(), spec.core.min) << name;
  }
}

TEST(Twin, ClockSwitchesTakeTime) {
  const Specification spec = device_called("h200");
  Twin gpu(spec);
  gpu.open_context();
  ASSERT_TRUE(gpu.lock_clock(spec.core.min));
  gpu.advance(spec.clock_switch - 1_ns);
  EXPECT_EQ(gpu.clock(), spec.core.max);
  gpu.advance(1_ns);
  EXPECT_EQ(gpu.clock(), spec.core.min);

  // Repeated requests do not postpone the switch.
  ASSERT_TRUE(gpu.lock_clock(spec.core.max));
  gpu.advance(spec.clock_switch / 2);
  const Hertz last = spec.core.min + spec.core.step * 3;
  ASSERT_TRUE(gpu.lock_clock(last));
  gpu.advance(spec.clock_switch / 2);
  EXPECT_EQ(gpu.clock(), last);
}

TEST(Twin, RejectsUnsupportedRequests) {
  const Specification spec = device_called("h200");
  Twin gpu(spec);
  EXPECT_EQ(gpu.lock_clock(spec.core.max + 1_MHz).error().kind, Errc::invalid_input);
  EXPECT_EQ(gpu.lock_clock(spec.core.min - 1_MHz).error().kind, Errc::invalid_input);
  EXPECT_EQ(gpu.set_limit(spec.limit.max + 1_W).error().kind, Errc::invalid_input);
  EXPECT_EQ(gpu.set_limit(spec.limit.min - 1_W).error().kind, Errc::invalid_input);
  EXPECT_EQ(gpu.locked_clock(), std::nullopt);
  EXPECT_EQ(gpu.limit(), spec.limit.default_limit);
  EXPECT_EQ(gpu.power("phase_of_the_moon").error().kind, Errc::unsupported);
  EXPECT_EQ(Twin(device_called("a100-sxm-80")).power("average").error().kind, Errc::unsupported);
}

TEST(Twin, HoldsALimitOnAverage) {
  const Specification spec = with_any_limit(device_called("h200"));
  const auto load = load_on(spec);
  for (const double way : {0.1, 0.37, 0.5, 0.83, 0.9}) {
    const Watts limit = limit_between(spec, *load, way);
    Twin gpu(spec);
    ASSERT_TRUE(gpu.set_limit(limit));
    gpu.run(load);
    gpu.advance(kWarm);
    const Means means = means_over(gpu, 20_s);
    const SteadyState steady = steady_state(*load, spec, {.limit = limit});
    EXPECT_LE(means.power, limit * 1.0005);
    EXPECT_NEAR(ratio(means.power, limit), 1.0, 5e-3);
    EXPECT_NEAR(ratio(means.clock, steady.clock), 1.0, 1e-2);
    EXPECT_EQ(gpu.throttle(), (Throttle{.power = true, .heat = false}));
  }
}

TEST(Twin, ALimitBelowThePowerOfTheLowestClockKeepsTheLowestClock) {
  const Specification spec = with_any_limit(device_called("h200"));
  Twin gpu(spec);
  ASSERT_TRUE(gpu.set_limit(spec.power.bare * 0.5));
  gpu.run(load_on(spec));
  gpu.advance(spec.limit.period);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(gpu.clock(), spec.core.min);
    gpu.advance(7_ms);
  }
  EXPECT_TRUE(gpu.throttle().power);
  ASSERT_TRUE(gpu.set_limit(spec.limit.default_limit));
  gpu.advance(spec.limit.period);
  EXPECT_GT(gpu.clock(), spec.core.min);
}

TEST(Twin, ALimitBelowHoldsFromSettlesAtHoldsFrom) {
  Specification spec = device_called("a40");
  ASSERT_LT(spec.limit.min, spec.limit.holds_from);
  const auto load = load_on(spec);
  const Watts lowest = equilibrium_of(load->at(spec.core.min), spec, spec.core.min).power;
  Twin gpu(spec);
  ASSERT_TRUE(gpu.set_limit(spec.limit.min));
  EXPECT_EQ(gpu.limit(), spec.limit.min);
  gpu.run(load);
  gpu.advance(kWarm);
  EXPECT_NEAR(ratio(means_over(gpu, 20_s).power, std::max(spec.limit.holds_from, lowest)), 1.0, 2e-3);
}

TEST(Twin, PausesDoNotBypassALimit) {
  const Specification spec = with_any_limit(device_called("h200"));
  const auto load = load_on(spec);
  const Watts limit = limit_between(spec, *load, 0.5);
  Twin gpu(spec);
  ASSERT_TRUE(gpu.set_limit(limit));
  gpu.open_context();
  gpu.run(load);
  gpu.advance(1_s);
  const Joules before = gpu.true_energy();
  for (int i = 0; i < 1000; ++i) {
    gpu.run(load, 1);
    gpu.advance(1_ms);
  }
  EXPECT_LE((gpu.true_energy() - before) / 1_s, limit * 1.001);
}

TEST(Twin, TemperatureLowersTheClock) {
  Specification spec = device_called("h200");
  const auto cool = load_on(spec);
  spec.limit.default_limit = spec.limit.max = 5000_W;
  const Hertz middle = (spec.core.min + spec.core.max) / 2;
  spec.thermal.slowdown = equilibrium_of(cool->at(middle), spec, middle).temperature;
  const auto load = load_on(spec);
  Twin gpu(spec);
  gpu.run(load);
  for (int i = 0; i < 300'000; ++i) {
    gpu.advance(1_ms);
    ASSERT_LE(gpu.temperature().degrees(), spec.thermal.slowdown.degrees() + 1e-9);
  }
  EXPECT_EQ(gpu.throttle(), (Throttle{.power = false, .heat = true}));
  EXPECT_NEAR(ratio(means_over(gpu, 20_s).clock, steady_state(*load, spec, {}).clock), 1.0, 5e-3);

  // If it becomes too hot between two ticks, the next tick lowers the clock.
  spec.limit.period = 500_ms;
  Twin slow(spec);
  slow.run(load);
  slow.advance(30.25_s);
  ASSERT_TRUE(slow.lock_clock(spec.core.min));
  slow.advance(1_s);
  EXPECT_LT(slow.temperature(), spec.thermal.slowdown);
}

TEST(Twin, EnergyIsTheIntegralOfPower) {
  const Specification spec = with_any_limit(device_called("h200"));
  const auto load = load_on(spec);
  Twin gpu(spec);
  ASSERT_TRUE(gpu.set_limit(limit_between(spec, *load, 0.4)));
  Joules sum;
  double degrees = gpu.temperature().degrees();
  for (int i = 1; i <= 60'000; ++i) {
    if (i == 5'000) gpu.open_context();
    if (i == 10'000) gpu.run(load);
    if (i == 30'000) gpu.stop();
    if (i == 40'000) gpu.run(load);
    if (i == 50'000) gpu.close_context();
    gpu.advance(0.5_ms);
    const Watts power = gpu.true_power();
    gpu.advance(0.5_ms);
    sum += power * 1_ms;
    degrees += 1e-3 / spec.thermal.time_constant.si() *
               (spec.thermal.ambient + spec.thermal.resistance * power - Celsius{degrees}).si();
    if (i % 1000 != 0) continue;
    ASSERT_NEAR(ratio(*gpu.energy_counter(), sum), 1.0, 1e-6) << i;
    ASSERT_NEAR(ratio(gpu.true_energy(), sum), 1.0, 1e-6) << i;
    ASSERT_NEAR(gpu.temperature().degrees(), degrees, 0.02) << i;
  }
}

TEST(Twin, TheEnergyCounterIsStaleBetweenUpdates) {
  const Specification spec = device_called("h200");
  Twin gpu(spec);
  gpu.run(load_on(spec));
  gpu.advance(*spec.energy_counter_period - 1_ns);
  EXPECT_EQ(*gpu.energy_counter(), 0_J);
  gpu.advance(1_ns);
  const Joules published = *gpu.energy_counter();
  EXPECT_EQ(published, gpu.true_energy());
  gpu.advance(*spec.energy_counter_period * 0.9);
  EXPECT_EQ(*gpu.energy_counter(), published);
}

TEST(Twin, TheEnergyCounterHasTheErrorOfTheSensorButNoGaps) {
  const Specification spec = without_noise(device_called("a100-sxm-80"));
  const SensorModel& sensor = spec.sensors.front();
  ASSERT_LT(sensor.gain, 0.96);
  Twin gpu(spec);
  gpu.run(load_on(spec), 1);  // ends before the sensor window
  gpu.advance(3_s);
  EXPECT_NEAR(gpu.energy_counter()->si(), (gpu.true_energy() * sensor.gain + sensor.offset * 3_s).si(), 1e-6);
}

TEST(Twin, GpusBeforeVoltaHaveNoEnergyCounter) {
  Twin gpu(device_called("p40"));
  gpu.advance(1_s);
  const auto counted = gpu.energy_counter();
  ASSERT_FALSE(counted);
  EXPECT_EQ(counted.error().kind, Errc::unsupported);
}

TEST(Twin, TheBufferHoldsTheLastUpdates) {
  const Specification spec = device_called("h200");
  Twin gpu(spec, 7);
  gpu.run(load_on(spec));
  gpu.advance(1_s);
  EXPECT_EQ(gpu.history("samples")->size(), 51U);  // one at time 0, and every 20 ms
  gpu.advance(9.005_s);
  const auto history = gpu.history("samples").value();
  ASSERT_EQ(history.size(), Sensor::kHistoryLength);
  for (std::size_t i = 0; i < history.size(); ++i) {
    EXPECT_NEAR(history[i].at.si(), 10.0 - 0.02 * static_cast<double>(history.size() - 1 - i), 1e-9);
  }
  EXPECT_EQ(history.back().power, gpu.power("samples").value());
  EXPECT_FALSE(gpu.history("nonsense"));
}

TEST(Twin, UsageOfAnH200RampsAndInstantFollows) {
  Specification spec = without_noise(device_called("h200"));
  spec.power.leakage = {};  // makes the power step exact
  const auto sensor = [&](std::string_view field) {
    return *std::find_if(spec.sensors.begin(), spec.sensors.end(),
                         [&](const SensorModel& model) { return model.field == field; });
  };
  const SensorModel usage = sensor("usage"), instant = sensor("instant");
  ASSERT_GT(usage.window, usage.period);
  ASSERT_LT(instant.window, instant.period);
  Twin gpu(spec);
  gpu.open_context();
  gpu.advance(10_s);
  const Watts before = gpu.true_power();
  ASSERT_TRUE(gpu.lock_clock(990_MHz));
  gpu.advance(10_s);
  const Watts low = gpu.true_power();
  EXPECT_LE(low, before);
  gpu.run(load_on(spec));
  const Watts high = gpu.true_power();
  ASSERT_GT(high, low + 20_W);
  const int updates = static_cast<int>(std::lround((usage.window / usage.period).si()));
  for (int i = 1; i <= updates + 2; ++i) {
    gpu.advance(usage.period);
    const double share = std::min(1.0, i / static_cast<double>(updates));
    const Watts expected = (low + (high - low) * share) * usage.gain + usage.offset;
    EXPECT_NEAR(gpu.power("usage")->si(), expected.si(), 1e-6) << i;
    EXPECT_NEAR(gpu.power("instant")->si(), (high * instant.gain + instant.offset).si(), 1e-6) << i;
  }
}

// nvml.h: field 186 on all architectures, field 185 on Ampere (except GA100) and newer. The reading is the
// one of nvmlDeviceGetPowerUsage, which is the average where there is one.
TEST(Twin, FieldsFollowTheArchitecture) {
  for (const std::string& name : device_names()) {
    const Specification spec = device_called(name);
    const bool averages = spec.chip == "GA102" || spec.chip == "GH100";
    Twin gpu(spec, 3);
    gpu.run(load_on(spec));
    gpu.advance(3_s);
    ASSERT_TRUE(gpu.power("instant")) << name;
    EXPECT_EQ(static_cast<bool>(gpu.power("average")), averages) << name;
    EXPECT_EQ(gpu.power("usage").value(), gpu.power(averages ? "average" : "instant").value()) << name;
    EXPECT_EQ(gpu.power("usage").value() == gpu.power("instant").value(), !averages) << name;
  }
}

TEST(Twin, AnA100ReadsLowAndMissesPulsesOutsideItsWindow) {
  const Specification spec = without_noise(device_called("a100-sxm-80"));
  const SensorModel usage = spec.sensors.front();
  ASSERT_LT(usage.window, usage.period);
  const auto load = load_on(spec);
  Twin steady(spec);
  ASSERT_TRUE(steady.lock_clock(spec.core.min));
  steady.run(load);
  steady.advance(kWarm);
  const Watts read = steady.power(usage.field).value();
  EXPECT_NEAR(read.si(), (steady.true_power() * usage.gain + usage.offset).si(), 1e-3);
  EXPECT_NEAR(ratio(read, steady.true_power()), 0.95, 0.03);

  Twin gpu(spec);
  gpu.open_context();
  gpu.advance(1_s);
  const Joules before = gpu.true_energy();
  for (int i = 0; i < 50; ++i) {
    gpu.run(load);
    gpu.advance(usage.period - usage.window);
    gpu.stop();
    gpu.advance(usage.window);
    const Watts idle = gpu.true_power();
    EXPECT_NEAR(gpu.power(usage.field)->si(), (idle * usage.gain + usage.offset).si(), 0.1);
  }
  const Watts mean = (gpu.true_energy() - before) / (usage.period * 50);
  EXPECT_GT(mean, gpu.power(usage.field).value() * 1.2);
}

TEST(Twin, RunsANumberOfIterationsAndThenIdles) {
  const Specification spec = device_called("h200");
  const auto load = load_on(spec);
  const Seconds each = load->at(spec.core.max).time;
  Twin gpu(spec);
  gpu.run(load, 10);
  gpu.advance(each * 9.5);
  EXPECT_TRUE(gpu.running());
  EXPECT_NEAR(gpu.iterations(), 9.5, 1e-6);
  gpu.advance(each);
  EXPECT_FALSE(gpu.running());
  EXPECT_TRUE(gpu.has_context());
  EXPECT_EQ(gpu.iterations(), 10);
  gpu.run(load, 5);
  gpu.run(load, 3);  // replaces the load
  gpu.advance(1000 * each);
  EXPECT_EQ(gpu.iterations(), 13);
  gpu.run(load, 0);
  EXPECT_FALSE(gpu.running());
  gpu.run(load);
  gpu.advance(2 * each);
  gpu.close_context();
  gpu.advance(1_s);
  EXPECT_NEAR(gpu.iterations(), 15, 1e-5);
  EXPECT_FALSE(gpu.has_context());
}

TEST(Twin, ManyShortStepsEqualALongOne) {
  Twin gpu(device_called("h200"));
  for (int i = 0; i < 1000; ++i) gpu.advance(Seconds{0.3e-9});
  EXPECT_NEAR(gpu.now().si(), 300e-9, 1e-9);
}

TEST(Twin, FollowsAClock) {
  const Specification spec = device_called("h200");
  ManualClock clock;
  clock.advance(1234_s);
  Twin following(spec, 3), told(spec, 3);
  following.follow(clock.now());
  EXPECT_EQ(following.now(), 0_s);
  following.run(load_on(spec));
  told.run(load_on(spec));
  for (int i = 0; i < 20; ++i) {
    clock.advance(130_ms);
    following.follow(clock.now());
  }
  told.advance(2.6_s);
  EXPECT_EQ(following.now(), told.now());
  EXPECT_EQ(following.true_energy(), told.true_energy());
  EXPECT_EQ(following.power("usage").value(), told.power("usage").value());
  following.follow(Instant{});  // an earlier time is ignored
  EXPECT_EQ(following.now(), told.now());
}

TEST(Twin, ACopyIsIndependent) {
  const Specification spec = device_called("h200");
  Twin one(spec, 3);
  one.run(load_on(spec));
  one.advance(1_s);
  Twin other = one;
  other.stop();
  other.advance(1_s);
  one.advance(1_s);
  EXPECT_GT(one.true_energy(), other.true_energy());
  EXPECT_GT(one.iterations(), other.iterations());
}

// Guards against a wrong complexity; bench/ measures the speed.
TEST(Twin, SimulatesAnHourQuickly) {
  const Specification spec = device_called("h200");
  Twin gpu(spec);
  gpu.run(load_on(spec));
  const auto start = std::chrono::steady_clock::now();
  Watts sum;
  for (int i = 0; i < 360'000; ++i) {
    gpu.advance(10_ms);
    sum += gpu.power("usage").value();
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_NEAR(gpu.now().si(), 3600, 1e-6);
  EXPECT_NEAR(ratio(sum / 360'000 * 3600_s, gpu.true_energy()), 1.0, 0.01);
  EXPECT_LT(took.count(), 2.0);
  RecordProperty("milliseconds", std::to_string(took.count() * 1000));
}

}  // namespace
}  // namespace ergon::device
