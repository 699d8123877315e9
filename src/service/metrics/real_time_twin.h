#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "device/device.h"
#include "device/twin/twin.h"
#include "device/twin/twin_device.h"

namespace ergon::service {

// A twin in real time that repeats one workload, or idles. It starts cold when it is created. It is
// read-only: clocks and power limit cannot be set.
//
// Simulated time advances only when a value is read, under a lock. A reading one second after the previous
// one costs about 20 us. After a long pause the twin simulates until the chip's temperature settles (a few
// minutes); the remaining time is skipped with constant power. A reading after a year therefore costs as much
// as one after a few minutes, about 2 ms.
//
// Thread-safe.
class RealTimeTwin final : public device::Device {
 public:
  // `number` distinguishes twins of one product: the first V100 has the id "v100-0" and the UUID
  // "TWIN-v100-0". The clock must outlive the twin. Errors: the workload does not fit into memory.
  static Result<std::unique_ptr<RealTimeTwin>> create(const device::Specification& gpu,
                                                      const std::optional<device::Workload>& work,
                                                      const Clock& clock, std::size_t number);

  const device::Identity& identity() const override { return identity_; }
  const device::Capabilities& capabilities() const override { return capabilities_; }
  bool simulated() const override { return true; }

  Result<Watts> power(device::PowerField field) override;
  Result<std::vector<device::PowerSample>> power_samples(Timestamp since) override;
  Result<Joules> energy_counter() override;
  Result<Hertz> clock(device::ClockDomain domain) override;
  Result<std::vector<Hertz>> supported_clocks(device::ClockDomain domain) override;
  Result<Celsius> temperature() override;
  Result<device::GpuUtilization> utilization() override;
  Result<device::MemoryUse> memory() override;
  Result<device::EventReasons> event_reasons() override;
  Result<device::PowerLimits> power_limits() override;

 private:
  RealTimeTwin(const device::Specification& gpu, std::shared_ptr<const device::Load> load, Bytes used,
               const Clock& clock, std::size_t number);

  // Advances the twin to the current time. Returns the held lock.
  [[nodiscard]] std::unique_lock<std::mutex> lock_at_now();
  void advance_to_now();

  const Clock& clock_;
  device::Identity identity_;
  device::Capabilities capabilities_;
  std::shared_ptr<const device::Load> load_;  // null: idle
  device::MemoryUse memory_;
  Seconds settles_within_;

  std::mutex mutex_;  // guards all members below
  device::Twin twin_;
  device::TwinDevice device_;
  Instant advanced_to_;
  Seconds skipped_;        // time that was not simulated
  Joules skipped_energy_;  // energy of that time
};

// Parses DEVICE, DEVICE:NETWORK or DEVICE:NETWORK:BATCH, for example "v100:resnet50:32". The network comes
// from the zoo and runs inference; the default batch is 1. Without a network the twin idles. Errors: unknown
// names, with a suggestion; an invalid batch, or one that does not fit into memory.
Result<std::unique_ptr<RealTimeTwin>> parse_real_time_twin(std::string_view text, const Clock& clock,
                                                           std::size_t number);

}  // namespace ergon::service
