#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "device/device.h"

namespace ergon::meter {

// Faults of a device.
struct Faults {
  std::optional<Watts> stuck;                         // value of every power reading
  int implausible_every = 0;                          // period of implausible readings
  Watts implausible{3e12};                            // their value
  int failing_every = 0;                              // period of failing readings
  Errc failing_with = Errc::io;                       // their error
  bool counter_stopped = false;                       // the counter does not increase
  double counter_gain = 1;                            // additional
  Joules counter_leap;                                // offset of the counter
  std::optional<Errc> counter_fails;                  // error of the counter
  std::uint64_t reasons = 0;                          // additional event reasons
  std::optional<Watts> limit;                         // replaces the power limit
  std::vector<device::Process> processes;             // listed
  std::function<void()> when_read, counted, checked;  // called at every read of power, counter, temperature
};

// Wraps a device; faults can be changed at any time.
class FaultyDevice final : public device::Device {
 public:
  explicit FaultyDevice(device::Device& sound)
      : sound_(sound), identity_(sound.identity()), capabilities_(sound.capabilities()) {}

  Faults faults;
  device::Identity& changed_identity() { return identity_; }
  device::Capabilities& changed_capabilities() { return capabilities_; }
  std::uint64_t power_reads() const { return power_reads_; }

  const device::Identity& identity() const override { return identity_; }
  const device::Capabilities& capabilities() const override { return capabilities_; }
  bool simulated() const override { return sound_.simulated(); }

  Result<Watts> power(device::PowerField field) override {
    if (!capabilities_.has(field)) return Device::power(field);
    if (auto failure = begin_read()) return *failure;
    auto power = sound_.power(field);
    if (!power) return power;
    return wrong(*power);
  }
  Result<std::vector<device::PowerSample>> power_samples(Timestamp since) override {
    if (auto failure = begin_read()) return *failure;
    auto samples = sound_.power_samples(since);
    if (!samples) return samples;
    for (device::PowerSample& sample : *samples) sample.power = wrong(sample.power), ++readings_;
    return samples;
  }
  Result<Joules> energy_counter() override {
    if (!capabilities_.energy_counter) return Device::energy_counter();
    if (faults.counted) faults.counted();
    if (faults.counter_fails) return fail(*faults.counter_fails, "the counter is broken");
    auto counted = sound_.energy_counter();
    if (!counted) return counted;
    if (!faults.counter_stopped) counted_ = *counted * faults.counter_gain + faults.counter_leap;
    return counted_;
  }
  Result<Hertz> clock(device::ClockDomain domain) override { return sound_.clock(domain); }
  Result<Celsius> temperature() override {
    if (faults.checked) faults.checked();
    return sound_.temperature();
  }
  Result<device::EventReasons> event_reasons() override {
    auto reasons = sound_.event_reasons();
    if (reasons) *reasons |= device::EventReasons(faults.reasons);
    return reasons;
  }
  Result<std::vector<device::Process>> processes() override { return faults.processes; }
  Result<device::PowerLimits> power_limits() override {
    auto limits = sound_.power_limits();
    if (limits && faults.limit) limits->current = *faults.limit;
    return limits;
  }

 private:
  std::optional<Error> begin_read() {
    if (faults.when_read) faults.when_read();
    ++power_reads_, ++readings_;
    if (faults.failing_every == 0 || power_reads_ % static_cast<std::uint64_t>(faults.failing_every) != 0)
      return std::nullopt;
    return fail(faults.failing_with, "the device does not answer");
  }
  Watts wrong(Watts power) const {
    if (faults.stuck) return *faults.stuck;
    if (faults.implausible_every != 0 &&
        readings_ % static_cast<std::uint64_t>(faults.implausible_every) == 0)
      return faults.implausible;
    return power;
  }

  device::Device& sound_;
  device::Identity identity_;
  device::Capabilities capabilities_;
  Joules counted_;
  std::uint64_t power_reads_ = 0, readings_ = 0;
};

}  // namespace ergon::meter
