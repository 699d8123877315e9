#pragma once

#include <mutex>

#include "device/device.h"
#include "device/nvml/application_clocks.h"
#include "device/nvml/gpu.h"

namespace ergon::device::nvml {

// Power limit and clocks of a GPU. Uses locked clocks where supported, otherwise application clocks.
class NvmlControls final : public Controls {
 public:
  // Both must outlive this object.
  NvmlControls(const Gpu& gpu, const Capabilities& capabilities);

  // Errors: unsupported for locked clocks, which NVML cannot read back. Application clocks can be read.
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
  // Cleared when the GPU reports that locking is unsupported.
  bool core_lock_, memory_lock_;
};

}  // namespace ergon::device::nvml
