#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>
#include <memory>
#include <new>
#include <string>

#include "base/clock.h"
#include "device/device.h"

namespace ergon::meter {

// A board with constant power and a V100's sensor and counter. Thread-safe.
class PlainDevice final : public device::Device {
 public:
  explicit PlainDevice(Clock& clock, Watts power = Watts{200})
      : power_(power), clock_(clock), identity_{"gpu0", "GPU-0", "Tesla V100-PCIE-32GB", {}} {
    capabilities_.power = {device::PowerField::usage};
    capabilities_.energy_counter = true;
  }

  // Error of every read; absent: reads succeed.
  std::atomic<bool> fails = false;
  std::atomic<Errc> failing_with = Errc::io;
  std::atomic<bool> throws = false;  // reads throw bad_alloc
  std::uint64_t reads() const { return reads_; }
  device::Capabilities& changed_capabilities() { return capabilities_; }

  const device::Identity& identity() const override { return identity_; }
  const device::Capabilities& capabilities() const override { return capabilities_; }
  bool simulated() const override { return false; }

  Result<Watts> power(device::PowerField field) override {
    const std::uint64_t read = ++reads_;
    if (throws) throw std::bad_alloc();
    if (fails) return fail(failing_with, "gpu0 does not answer");
    if (!capabilities_.has(field)) return Device::power(field);
    return power_ + Watts{read % 2 == 0 ? 0.1 : -0.1};
  }
  Result<Joules> energy_counter() override {
    if (fails) return fail(failing_with, "gpu0 does not answer");
    return power_ * Seconds{std::floor((clock_.now() - Instant{}).si() / 0.02) * 0.02};
  }

 private:
  Watts power_;
  Clock& clock_;
  device::Identity identity_;
  device::Capabilities capabilities_;
  std::atomic<std::uint64_t> reads_ = 0;
};

}  // namespace ergon::meter
