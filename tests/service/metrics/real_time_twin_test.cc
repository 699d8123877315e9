#include "service/metrics/real_time_twin.h"

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "device/twin/catalog.h"
#include "device/twin/estimate.h"
#include "graph/zoo/zoo.h"
#include "service/metrics/gpu_reading.h"

namespace ergon::service {
namespace {

using namespace literals;
using device::PowerField;

device::Workload resnet50_work(std::int64_t batch) {
  static const graph::Network network = graph::zoo::build(*graph::zoo::find("resnet50").value()).value();
  return device::workload_of(network, batch, graph::Mode::inference, device::Precision::tf32).value();
}

std::unique_ptr<RealTimeTwin> working_twin(const std::string& gpu, const Clock& clock,
                                           std::size_t number = 0) {
  return RealTimeTwin::create(device::find_device(gpu).value(), resnet50_work(32), clock, number).value();
}

TEST(RealTimeTwin, IsSimulatedAndReadOnly) {
  const ManualClock clock;
  const auto twin = working_twin("v100", clock, 3);
  EXPECT_EQ(twin->identity().uuid, "TWIN-v100-3");
  EXPECT_EQ(twin->identity().id, "v100-3");
  EXPECT_EQ(twin->identity().kind, device::DeviceKind::twin);
  EXPECT_TRUE(twin->simulated());
  EXPECT_FALSE(twin->capabilities().set_power_limit || twin->capabilities().lock_core_clock);
}

// Every capability has a value.
TEST(RealTimeTwin, ProvidesAllCapabilities) {
  ManualClock clock;
  for (const std::string& name : device::device_names()) {
    const auto twin = RealTimeTwin::create(device::find_device(name).value(), {}, clock, 0).value();
    clock.advance(1_s);
    const GpuReading reading = read(*twin, clock.wall_now());
    EXPECT_TRUE(reading.responding && reading.simulated) << name;
    EXPECT_TRUE(reading.power && reading.core_clock && reading.temperature && reading.utilization &&
                reading.memory && reading.power_limit && reading.event_reasons)
        << name;
    EXPECT_EQ(reading.energy.has_value(), twin->capabilities().energy_counter) << name;
    EXPECT_FALSE(reading.memory_clock || reading.memory_temperature) << name;
    EXPECT_TRUE(twin->supported_clocks(device::ClockDomain::core)) << name;
  }
}

// When warm, it reads the closed-form estimate within the error of its sensors.
TEST(RealTimeTwin, SettlesAtTheEstimate) {
  for (const char* name : {"v100", "a30", "h200"}) {
    const device::Specification gpu = device::find_device(name).value();
    const device::Estimate expected = device::estimate(resnet50_work(32), gpu, {}).value();
    ManualClock clock;
    const auto twin = working_twin(name, clock);
    for (int i = 0; i < 600; ++i) {
      clock.advance(1_s);
      (void)twin->power(PowerField::usage);
    }
    double sum = 0;
    constexpr int kLooks = 200;
    const auto fields = twin->capabilities().power;
    ASSERT_FALSE(fields.empty());
    const device::SensorModel& sensor = gpu.sensors.front();
    const Joules before = twin->energy_counter().value();
    for (int i = 0; i < kLooks; ++i) {
      clock.advance(1_s);
      sum += read(*twin, {}).power->si();
    }
    const Watts shown = expected.state.power * sensor.gain + sensor.offset;
    EXPECT_NEAR(sum / kLooks, shown.si(), 0.01 * shown.si()) << name;
    const Watts counted = (twin->energy_counter().value() - before) / Seconds{kLooks};
    EXPECT_NEAR(counted.si(), shown.si(), 0.01 * shown.si()) << name;
    EXPECT_NEAR(twin->temperature()->degrees(), expected.state.temperature.degrees(), 1) << name;
    EXPECT_NEAR(twin->clock(device::ClockDomain::core)->si() / expected.state.clock.si(), 1, 0.02) << name;
    EXPECT_EQ(twin->memory()->used, expected.memory) << name;
    EXPECT_EQ(twin->memory()->total, gpu.memory.capacity) << name;
    const auto use = twin->utilization().value();
    EXPECT_TRUE(use.compute > 0 && use.compute <= 1 && use.memory > 0 && use.memory <= 1) << name;
  }
}

TEST(RealTimeTwin, DrawsLessPowerWhenIdle) {
  ManualClock clock;
  const device::Specification gpu = device::find_device("v100").value();
  const auto idle = RealTimeTwin::create(gpu, {}, clock, 0).value();
  const auto busy = working_twin("v100", clock, 1);
  clock.advance(60_s);
  EXPECT_LT(*idle->power(PowerField::usage) * 2, *busy->power(PowerField::usage));
  EXPECT_EQ(idle->utilization()->compute, 0);
  EXPECT_EQ(idle->memory()->used, 0_B);
  EXPECT_TRUE(idle->event_reasons()->has(device::EventReasons::kIdle));
  EXPECT_FALSE(busy->event_reasons()->has(device::EventReasons::kIdle));
}

TEST(RealTimeTwin, WarmsUpAsTimePasses) {
  ManualClock clock;
  const auto twin = working_twin("v100", clock);
  const Celsius cold = twin->temperature().value();
  EXPECT_EQ(twin->temperature().value(), cold);
  clock.advance(5_s);
  const Celsius warm = twin->temperature().value();
  clock.advance(60_s);
  EXPECT_GT(warm, cold);
  EXPECT_GT(twin->temperature().value(), warm);
}

// The reading interval does not change the results.
TEST(RealTimeTwin, IsIndependentOfTheReadingInterval) {
  ManualClock seldom_clock, often_clock;
  const auto seldom = working_twin("a30", seldom_clock), often = working_twin("a30", often_clock);
  for (int i = 0; i < 100; ++i) {
    often_clock.advance(1_s);
    (void)read(*often, {});
  }
  seldom_clock.advance(100_s);
  EXPECT_EQ(seldom->power(PowerField::usage).value(), often->power(PowerField::usage).value());
  EXPECT_EQ(seldom->energy_counter().value(), often->energy_counter().value());
  EXPECT_NEAR(seldom->temperature()->degrees(), often->temperature()->degrees(), 1e-9);
}

TEST(RealTimeTwin, ALongPauseGivesTheSameState) {
  ManualClock silent_clock, watched_clock;
  const auto silent_twin = working_twin("v100", silent_clock), watched = working_twin("v100", watched_clock);
  for (int i = 0; i < 3600; ++i) {
    watched_clock.advance(1_s);
    (void)watched->temperature();
  }
  silent_clock.advance(3600_s);
  EXPECT_NEAR(silent_twin->temperature()->degrees(), watched->temperature()->degrees(), 0.5);
  const double energy = watched->energy_counter()->si();
  EXPECT_NEAR(silent_twin->energy_counter()->si(), energy, 0.002 * energy);
  EXPECT_NEAR(silent_twin->power(PowerField::usage)->si(), watched->power(PowerField::usage)->si(), 5);
  // Time does not jump afterwards.
  silent_clock.advance(1_s);
  watched_clock.advance(1_s);
  EXPECT_NEAR(silent_twin->energy_counter()->si(), watched->energy_counter()->si(), 0.002 * energy);
}

// A century costs as much as an hour, because time is skipped.
TEST(RealTimeTwin, CatchesUpInBoundedTime) {
  ManualClock clock;
  const auto twin = working_twin("h200", clock);
  Joules before = twin->energy_counter().value();
  for (int decade = 0; decade < 10; ++decade) {
    clock.advance(Seconds{3.15e8});
    const Joules now = twin->energy_counter().value();
    EXPECT_GT(now, before);
    before = now;
  }
}

TEST(RealTimeTwin, EnergyNeverDecreasesAcrossPauses) {
  ManualClock clock;
  const auto twin = working_twin("v100", clock);
  Joules before{0};
  for (int i = 0; i < 40; ++i) {
    clock.advance(Seconds{i % 4 == 0 ? 2000.0 : 0.013 * i});
    const Joules now = twin->energy_counter().value();
    EXPECT_GE(now, before);
    before = now;
  }
}

TEST(RealTimeTwin, SamplesHaveWallClockTimesAfterSkippedTime) {
  const Timestamp epoch{1'700'000'000'000'000'000};
  ManualClock clock(epoch);
  const auto twin = working_twin("h200", clock);
  for (const double pause : {10.0, 100'000.0, 3.0}) {
    clock.advance(Seconds{pause});
    const auto samples = twin->power_samples(epoch).value();
    ASSERT_FALSE(samples.empty());
    EXPECT_LE(samples.back().at, clock.wall_now());
    EXPECT_LT(clock.wall_now() - samples.back().at, 1_s);
    const Timestamp middle = samples[samples.size() / 2].at;
    EXPECT_EQ(twin->power_samples(middle)->size(), samples.size() - samples.size() / 2 - 1);
  }
}

TEST(RealTimeTwin, IsThreadSafe) {
  const SystemClock clock;
  const auto twin = working_twin("v100", clock);
  std::atomic<int> failed = 0;
  std::vector<std::thread> readers;
  for (int i = 0; i < 4; ++i) {
    readers.emplace_back([&] {
      Joules before{0};
      for (int looked = 0; looked < 100; ++looked) {
        const GpuReading reading = read(*twin, {});
        if (!reading.responding || *reading.energy < before) ++failed;
        before = reading.energy.value_or(Joules{0});
      }
    });
  }
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(failed, 0);
}

TEST(ParseRealTimeTwin, ParsesDeviceNetworkAndBatch) {
  const ManualClock clock;
  const auto twin = parse_real_time_twin("v100:resnet50:32", clock, 0);
  ASSERT_TRUE(twin) << twin.error().message;
  EXPECT_EQ((*twin)->identity().uuid, "TWIN-v100-0");
  EXPECT_EQ((*twin)->memory()->used,
            device::memory_on(resnet50_work(32), device::find_device("v100").value()).value());
  const auto single = parse_real_time_twin("v100:resnet50", clock, 0);
  ASSERT_TRUE(single) << single.error().message;
  EXPECT_EQ((*single)->memory()->used,
            device::memory_on(resnet50_work(1), device::find_device("v100").value()).value());
  const auto idle = parse_real_time_twin("a30", clock, 1);
  ASSERT_TRUE(idle) << idle.error().message;
  EXPECT_EQ((*idle)->memory()->used, 0_B);
}

TEST(ParseRealTimeTwin, ReportsInvalidParts) {
  const ManualClock clock;
  const auto kind = [&](std::string_view text) { return parse_real_time_twin(text, clock, 0).error().kind; };
  EXPECT_EQ(kind("v10:resnet50"), Errc::unknown_name);
  EXPECT_EQ(kind("v100:resnet"), Errc::unknown_name);
  EXPECT_EQ(kind(""), Errc::unknown_name);
  EXPECT_EQ(kind("v100:resnet50:"), Errc::invalid_input);
  EXPECT_EQ(kind("v100:resnet50:0"), Errc::invalid_input);
  EXPECT_EQ(kind("v100:resnet50:-1"), Errc::invalid_input);
  EXPECT_EQ(kind("v100:resnet50:many"), Errc::invalid_input);
  EXPECT_EQ(kind("v100:resnet50:1:2"), Errc::invalid_input);
  EXPECT_EQ(kind("v100:resnet50:1000000"), Errc::out_of_memory);
  EXPECT_NE(parse_real_time_twin("v10", clock, 0).error().message.find("v100"), std::string::npos);
}

}  // namespace
}  // namespace ergon::service
