#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "device/device.h"
#include "device/nvml/controls.h"
#include "device/nvml/gpu.h"

namespace ergon::device::nvml {

// A GPU. What each reading asks NVML for: docs/devices.md.
class NvmlDevice final : public Device {
 public:
  // Reads everything once. Errors: a GPU that this user may not use, that is lost, or that has no UUID.
  static Result<std::unique_ptr<NvmlDevice>> open(const std::shared_ptr<const Library>& library,
                                                  unsigned index);

  const Identity& identity() const override { return identity_; }
  const Capabilities& capabilities() const override { return capabilities_; }
  bool simulated() const override { return gpu_.simulated(); }

  Result<Watts> power(PowerField field) override;
  Result<std::vector<PowerSample>> power_samples(Timestamp since) override;
  Result<Joules> energy_counter() override;
  Result<Hertz> clock(ClockDomain domain) override;
  Result<std::vector<Hertz>> supported_clocks(ClockDomain domain) override;
  Result<Celsius> temperature() override;
  Result<Celsius> memory_temperature() override;
  Result<Utilisation> utilisation() override;
  Result<MemoryUse> memory() override;
  Result<EventReasons> event_reasons() override;
  Result<std::vector<Process>> processes() override;
  Result<PowerLimits> power_limits() override;
  Controls* controls(LeaseKey key) override;

 private:
  NvmlDevice(Identity identity, Gpu gpu);

  Identity identity_;
  Gpu gpu_;
  Capabilities capabilities_;
  std::atomic<std::uint64_t> most_energy_mj_ = 0;  // that the counter was seen at
  std::optional<NvmlControls> controls_;
};

}  // namespace ergon::device::nvml
