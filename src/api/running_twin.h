#pragma once

#include <memory>
#include <mutex>

#include "base/clock.h"
#include "base/result.h"
#include "device/device.h"
#include "device/twin/twin.h"
#include "device/twin/twin_device.h"

namespace ergon::api {

// A twin in real time whose load can be changed. Simulated time advances when a value is read. It starts cold
// and idle. Read-only: clocks and power limit cannot be set. Thread-safe.
class RunningTwin final : public device::Device {
 public:
  explicit RunningTwin(const device::Specification& gpu);

  // Repeats the workload from now on. Errors: out_of_memory.
  Result<> run(const device::Workload& work);
  // Idles, without a context.
  void stop();

  const device::Identity& identity() const override { return identity_; }
  const device::Capabilities& capabilities() const override { return capabilities_; }
  bool simulated() const override { return true; }

  Result<Watts> power(device::PowerField field) override;
  Result<std::vector<device::PowerSample>> power_samples(Timestamp since) override;
  Result<Joules> energy_counter() override;
  Result<Hertz> clock(device::ClockDomain domain) override;
  Result<std::vector<Hertz>> supported_clocks(device::ClockDomain domain) override;
  Result<Celsius> temperature() override;
  Result<device::MemoryUse> memory() override;
  Result<device::EventReasons> event_reasons() override;
  Result<device::PowerLimits> power_limits() override;

 private:
  // Advances the twin to the current time. Returns the held lock.
  [[nodiscard]] std::unique_lock<std::mutex> lock_at_now();

  SystemClock clock_;
  device::Identity identity_;
  device::Capabilities capabilities_;

  std::mutex mutex_;  // guards all members below
  device::Twin twin_;
  device::TwinDevice device_;
  Bytes used_;
};

}  // namespace ergon::api
