#pragma once

#include <mutex>

#include "device/device.h"
#include "device/nvml/application_clocks.h"
#include "device/nvml/gpu.h"

namespace ergon::device::nvml {

// The power limit, and clocks: locked where the GPU knows locks, else held as application clocks.
class NvmlControls final : public Controls {
 public:
  // Both must outlive this.
  NvmlControls(const Gpu& gpu, const Capabilities& capabilities);

  // Locks cannot be read back; application clocks can.
  Result<ControlValue> read(Control control) override;
  Result<> write(Control control, const ControlValue& value) override;

 private:
  Result<> write_power_limit(Watts limit);
  Result<> write_clocks(ClockDomain domain, const std::optional<ClockRange>& range);
  Result<> write_lock(ClockDomain domain, const std::optional<ClockRange>& range);
  bool& lockable(ClockDomain domain) { return domain == ClockDomain::core ? core_lock_ : memory_lock_; }

  const Gpu& gpu_;
  const Capabilities& capabilities_;
  std::mutex changing_;
  ApplicationClocks application_clocks_;
  // As far as is known: a GPU may still turn out not to support it.
  bool core_lock_, memory_lock_;
};

}  // namespace ergon::device::nvml
