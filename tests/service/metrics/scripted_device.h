#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/device.h"

namespace ergon::test {

// A device with values set by the test. Values are set before it is read; hold() and lost_at_temperature may
// be used at any time.
class ScriptedDevice final : public device::Device {
 public:
  explicit ScriptedDevice(std::string uuid = "GPU-1", device::DeviceKind kind = device::DeviceKind::nvml)
      : identity_{"gpu0", std::move(uuid), "Scripted 9000", kind} {}

  const device::Identity& identity() const override { return identity_; }
  const device::Capabilities& capabilities() const override { return can; }
  bool simulated() const override { return false; }

  device::Capabilities can;
  std::optional<Watts> instant, usage, samples, average;
  std::optional<Joules> energy;
  std::optional<Hertz> core, memory_hertz;
  std::optional<Celsius> chip, stacks;
  std::optional<device::GpuUtilization> use;
  std::optional<device::MemoryUse> bytes;
  std::optional<device::EventReasons> reasons;
  std::optional<device::PowerLimits> limits;
  Errc trouble = Errc::io;                        // of what is not there
  std::atomic<bool> lost_at_temperature = false;  // it is lost while it is being read; any thread may say so
  int questions = 0;

  // All values are supported.
  static device::Capabilities all_capabilities() {
    device::Capabilities all;
    all.power = {device::PowerField::usage, device::PowerField::average, device::PowerField::instant,
                 device::PowerField::samples};
    all.energy_counter = all.core_clock = all.memory_clock = all.temperature = all.memory_temperature = true;
    all.utilization = all.memory = all.event_reasons = all.power_limit = true;
    return all;
  }

  // From now on, calls block until release.
  void hold(bool held) {
    const std::lock_guard lock(mutex_);
    held_ = held;
    released_.notify_all();
  }

  Result<Watts> power(device::PowerField field) override {
    switch (field) {
      case device::PowerField::usage:
        return told(usage);
      case device::PowerField::average:
        return told(average);
      case device::PowerField::instant:
        return told(instant);
      case device::PowerField::samples:
        return told(samples);
    }
    return fail(Errc::unsupported, "no such field");
  }
  Result<Joules> energy_counter() override { return told(energy); }
  Result<Hertz> clock(device::ClockDomain domain) override {
    return told(domain == device::ClockDomain::core ? core : memory_hertz);
  }
  Result<Celsius> temperature() override {
    if (lost_at_temperature) return fail(Errc::device_lost, "fell off the bus");
    return told(chip);
  }
  Result<Celsius> memory_temperature() override { return told(stacks); }
  Result<device::GpuUtilization> utilization() override { return told(use); }
  Result<device::MemoryUse> memory() override { return told(bytes); }
  Result<device::EventReasons> event_reasons() override { return told(reasons); }
  Result<device::PowerLimits> power_limits() override { return told(limits); }

 private:
  template <typename T>
  Result<T> told(const std::optional<T>& value) {
    std::unique_lock lock(mutex_);
    ++questions;
    released_.wait(lock, [&] { return !held_; });
    if (value) return *value;
    return fail(trouble, "nothing to tell");
  }

  device::Identity identity_;
  std::mutex mutex_;
  std::condition_variable released_;
  bool held_ = false;
};

}  // namespace ergon::test
