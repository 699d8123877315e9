#pragma once

#include <optional>

#include "device/control.h"
#include "device/device.h"
#include "device/nvml/clocks.h"
#include "device/nvml/gpu.h"

namespace ergon::device::nvml {

// Application clocks of a GPU. They set a clock on GPUs without locked clocks and, unlike locked clocks, can
// be read back.
//
// NVML sets memory and core clock as a pair, and each memory clock supports its own list of core clocks. To
// change and restore the two controls independently and in any order, the requested clocks are stored
// separately. The pair is derived from them: the requested memory clock or the default, and the requested
// core clock or the default, rounded down to a core clock that this memory clock supports.
//
// Not thread-safe.
class ApplicationClocks {
 public:
  // The GPU must outlive this object.
  explicit ApplicationClocks(const Gpu& gpu) : gpu_(gpu) {}

  // The requested clock as a range of one clock; empty for the default clock.
  Result<ControlValue> read(ClockDomain domain);
  // Sets the highest clock of the range. Errors: a core clock that the memory clock does not support.
  Result<> write(ClockDomain domain, const std::optional<ClockRange>& range);

 private:
  struct Pair {
    unsigned memory_mhz = 0, core_mhz = 0;

    friend bool operator==(const Pair&, const Pair&) = default;
  };
  struct Requested {
    std::optional<unsigned> memory_mhz, core_mhz;
  };
  using Getter = DeviceGetApplicationsClock;

  Result<Pair> pair_by(Getter* getter, std::string_view what) const;
  unsigned nearest_core_mhz(unsigned memory_mhz, unsigned requested_mhz) const;
  Requested requested_for(const Pair& current, const Pair& defaults) const;

  const Gpu& gpu_;
  // The last request and the pair that was set for it. A different current pair was set by another program.
  Requested requested_;
  std::optional<Pair> set_;
};

}  // namespace ergon::device::nvml
