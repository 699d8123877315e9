#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "device/device.h"
#include "device/nvml/controls.h"
#include "device/nvml/gpu.h"

namespace ergon::device::nvml {

// A GPU through NVML. docs/devices.md lists the NVML call of each reading.
class NvmlDevice final : public Device {
 public:
  // Reads every reading once. Errors: a GPU that is lost, has no UUID or is not accessible to this user.
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
  Result<GpuUtilization> utilization() override;
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
  std::atomic<std::uint64_t> max_energy_mj_ = 0;  // highest counter value read so far
  std::optional<NvmlControls> controls_;
};

}  // namespace ergon::device::nvml
