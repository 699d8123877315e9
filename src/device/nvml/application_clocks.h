#pragma once

#include <optional>

#include "device/control.h"
#include "device/device.h"
#include "device/nvml/clocks.h"
#include "device/nvml/gpu.h"

namespace ergon::device::nvml {

// The clocks of the memory and the core that a GPU runs applications at: the way to hold a clock before there
// were locks, and unlike them it can be read back.
//
// They are set in pairs, and each memory clock has core clocks of its own. So that the two are controls that
// can be changed and restored one by one, in any order, what is wanted of each is kept apart, and a pair is
// made of it: the memory at the clock it is held at, or at its default; the core likewise, or as near below
// as that memory clock allows, until another allows more.
//
// One thread at a time.
class ApplicationClocks {
 public:
  // The GPU must outlive this.
  explicit ApplicationClocks(const Gpu& gpu) : gpu_(gpu) {}

  // What is wanted: one clock, both ends of the range; nothing for one that is not held.
  Result<ControlValue> read(ClockDomain domain);
  // Of a range, the highest clock is held. Errors: a core clock that there is not at the memory's clock.
  Result<> write(ClockDomain domain, const std::optional<ClockRange>& range);

 private:
  struct Pair {
    unsigned memory_mhz = 0, core_mhz = 0;

    friend bool operator==(const Pair&, const Pair&) = default;
  };
  struct Wishes {
    std::optional<unsigned> memory_mhz, core_mhz;
  };
  using Getter = DeviceGetApplicationsClock;

  Result<Pair> pair_by(Getter* getter, std::string_view what) const;
  unsigned possible_core_mhz(unsigned memory_mhz, unsigned wanted_mhz) const;
  Wishes wishes_behind(const Pair& now, const Pair& usual) const;

  const Gpu& gpu_;
  // What was wished last, and what was set for it. Who finds another pair was not alone.
  Wishes wished_;
  std::optional<Pair> set_;
};

}  // namespace ergon::device::nvml
