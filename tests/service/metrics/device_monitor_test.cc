#include "service/metrics/device_monitor.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include <gtest/gtest.h>

#include "service/metrics/scripted_device.h"

namespace ergon::service {
namespace {

using namespace literals;
using test::ScriptedDevice;

// A clock that the test advances while other threads read it.
class SharedClock final : public Clock {
 public:
  Instant now() const override { return {ns_}; }
  Timestamp wall_now() const override { return {1'000'000'000'000 + ns_}; }
  void sleep_until(Instant due) override { ns_ = std::max(ns_.load(), due.ns); }
  void advance(Seconds by) { ns_ += static_cast<std::int64_t>(by.si() * 1e9); }

 private:
  std::atomic<std::int64_t> ns_{1};
};

std::shared_ptr<ScriptedDevice> scripted(const std::string& uuid, Watts power) {
  auto gpu = std::make_shared<ScriptedDevice>(uuid);
  gpu->can.power = {device::PowerField::usage};
  gpu->usage = power;
  return gpu;
}

// Waits for a condition. False: timeout.
bool comes_true(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

Seconds time_of(const std::function<void()>& act) {
  const SystemClock clock;
  const Instant begin = clock.now();
  act();
  return clock.now() - begin;
}

TEST(DeviceMonitor, ReadsEveryDeviceBeforeTheConstructorReturns) {
  const SystemClock clock;
  const DeviceMonitor watch({scripted("A", 100_W), scripted("B", 200_W)}, clock,
                            {.period = 60_s, .device_timeout = 30_s});
  const MonitorSnapshot seen = watch.snapshot();
  ASSERT_EQ(seen.devices.size(), 2u);
  EXPECT_EQ(seen.devices[0].reading.identity.uuid, "A");
  EXPECT_EQ(seen.devices[0].reading.power, 100_W);
  EXPECT_EQ(seen.devices[1].reading.power, 200_W);
  EXPECT_EQ(seen.devices[1].history.size(), 1u);
  EXPECT_FALSE(simulated(seen));
}

TEST(DeviceMonitor, ReadsPeriodically) {
  SharedClock clock;
  const DeviceMonitor watch({scripted("A", 100_W)}, clock, {.period = 1_ms});
  const Timestamp first = watch.snapshot().devices[0].reading.at;
  clock.advance(5_s);
  EXPECT_TRUE(comes_true([&] { return watch.snapshot().devices[0].reading.at > first; }));
  EXPECT_TRUE(comes_true([&] { return watch.snapshot().devices[0].reading.energy >= 500_J; }));
}

// It has nothing to wait for, and its snapshots still have their times.
TEST(DeviceMonitor, WithoutDevicesGivesEmptySnapshotsAtOnce) {
  SharedClock clock;
  clock.advance(3_s);
  const Timestamp begin = clock.wall_now();
  const Seconds lived = time_of([&] {
    const DeviceMonitor watch({}, clock, {.period = 3600_s, .device_timeout = 3600_s});
    clock.advance(5_s);
    const MonitorSnapshot seen = watch.snapshot();
    EXPECT_TRUE(seen.devices.empty());
    EXPECT_FALSE(simulated(seen));
    EXPECT_EQ(seen.started, begin);
    EXPECT_EQ(seen.at, clock.wall_now());
    EXPECT_EQ(seen.at.ns - seen.started.ns, 5'000'000'000);
  });
  EXPECT_LT(lived, 20_s);
}

TEST(DeviceMonitor, StopsWithoutWaitingForTheNextReading) {
  const SystemClock clock;
  EXPECT_LT(time_of([&] { const DeviceMonitor watch({scripted("A", 1_W)}, clock, {.period = 3600_s}); }),
            20_s);
}

TEST(DeviceMonitor, ABlockedDeviceDoesNotDelayOthers) {
  SharedClock clock;
  const auto stuck = scripted("A", 100_W), fine = scripted("B", 200_W);
  const DeviceMonitor watch({stuck, fine}, clock, {.period = 1_ms, .device_timeout = 30_s});
  EXPECT_TRUE(watch.snapshot().devices[0].reading.responding);
  stuck->hold(true);
  const auto moves_on = [&] {
    const Timestamp last = watch.snapshot().devices[1].reading.at;
    clock.advance(2_s);
    return comes_true([&] { return watch.snapshot().devices[1].reading.at > last; });
  };
  // A reading in progress may still end.
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(moves_on());
  EXPECT_TRUE(comes_true([&] { return moves_on() && !watch.snapshot().devices[0].reading.responding; }));
  EXPECT_TRUE(comes_true([&] { return watch.snapshot().devices[1].reading.responding; }));
  stuck->hold(false);
  EXPECT_TRUE(comes_true([&] { return watch.snapshot().devices[0].reading.responding; }));
}

TEST(DeviceMonitor, StopsWhileADeviceIsBlocked) {
  const auto stuck = scripted("A", 100_W);
  {
    auto clock = std::make_unique<SharedClock>();
    stuck->hold(true);
    auto watch = std::make_unique<DeviceMonitor>(
        std::vector<std::shared_ptr<device::Device>>{stuck, scripted("B", 200_W)}, *clock,
        DeviceMonitorOptions{.period = 1_ms, .device_timeout = 50_ms});
    EXPECT_FALSE(watch->snapshot().devices[0].reading.responding);
    EXPECT_TRUE(comes_true([&] { return watch->snapshot().devices[1].reading.responding; }));
    EXPECT_LT(time_of([&] { watch.reset(); }), 20_s);
  }
  // The detached thread keeps the device, does not use the clock, and releases the device when it returns.
  EXPECT_GT(stuck.use_count(), 1);
  stuck->hold(false);
  EXPECT_TRUE(comes_true([&] { return stuck.use_count() == 1; }));
}

TEST(DeviceMonitor, ReadsALostDeviceAgain) {
  const SystemClock clock;
  auto gpu = scripted("A", 100_W);
  gpu->can.temperature = true;
  gpu->chip = 40_degC;
  gpu->lost_at_temperature = true;
  const DeviceMonitor watch({gpu}, clock, {.period = 1_ms, .device_timeout = 30_s});
  EXPECT_FALSE(watch.snapshot().devices[0].reading.responding);
  gpu->lost_at_temperature = false;
  EXPECT_TRUE(comes_true([&] { return watch.snapshot().devices[0].reading.responding; }));
}

TEST(DeviceMonitor, IsThreadSafe) {
  SharedClock clock;
  const DeviceMonitor watch({scripted("A", 100_W), scripted("B", 200_W)}, clock, {.period = 1_ms});
  std::vector<std::thread> askers;
  std::atomic<int> wrong = 0;
  for (int i = 0; i < 4; ++i) {
    askers.emplace_back([&] {
      for (int asked = 0; asked < 200; ++asked) {
        clock.advance(10_ms);
        const MonitorSnapshot seen = watch.snapshot();
        if (seen.devices.size() != 2 || seen.devices[1].reading.identity.uuid != "B") ++wrong;
      }
    });
  }
  for (std::thread& asker : askers) asker.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace ergon::service
