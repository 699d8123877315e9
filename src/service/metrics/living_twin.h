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

// A simulated GPU whose time passes as the clock's does, and which runs one workload again and again, or
// nothing at all. It began when it was made, cold. It can be watched, not set: it has no controls.
//
// Nobody moves it while nobody looks: a read lets pass, under a lock, what has passed since the last one. A
// read that comes a second later costs some twenty microseconds. After a long silence the chip first lives
// through as much as it needs to settle, some minutes; the rest is skipped, during which it is taken to draw
// what it drew last. So a read after a year costs what one after some minutes does, about two milliseconds.
//
// Any thread may read at any time.
class LivingTwin final : public device::Device {
 public:
  // `number` tells twins of one product apart: the first V100 is "v100-0", and "TWIN-v100-0" its UUID. The
  // clock is asked by whoever reads, and outlives the twin. Errors: a workload that does not fit the memory.
  static Result<std::unique_ptr<LivingTwin>> create(const device::Specification& gpu,
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
  Result<device::Utilisation> utilisation() override;
  Result<device::MemoryUse> memory() override;
  Result<device::EventReasons> event_reasons() override;
  Result<device::PowerLimits> power_limits() override;

 private:
  LivingTwin(const device::Specification& gpu, std::shared_ptr<const device::Load> load, Bytes used,
             const Clock& clock, std::size_t number);

  // Holds the lock for as long as it lives; by then the twin has caught up.
  [[nodiscard]] std::unique_lock<std::mutex> present();
  void catch_up();

  const Clock& clock_;
  device::Identity identity_;
  device::Capabilities capabilities_;
  std::shared_ptr<const device::Load> load_;  // null: it idles
  device::MemoryUse memory_;
  Seconds settles_within_;

  std::mutex mutex_;  // all below
  device::Twin twin_;
  device::TwinDevice device_;
  Instant caught_up_;
  Seconds skipped_;        // that the twin did not live through
  Joules skipped_energy_;  // drawn meanwhile
};

// From a text as somebody types it: DEVICE, DEVICE:NETWORK or DEVICE:NETWORK:BATCH, such as
// "v100:resnet50:32", with networks of the zoo at inference; without a batch it is 1, without a network the
// GPU idles. Errors: names that do not exist, with those that were probably meant; a batch that is none or
// does not fit the memory.
Result<std::unique_ptr<LivingTwin>> living_twin_named(std::string_view text, const Clock& clock,
                                                      std::size_t number);

}  // namespace ergon::service
