#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "device/control.h"
#include "device/nvml/gpu.h"

namespace ergon::device::nvml {

// Clocks in MHz as NVML reports them; ascending, without duplicates.
using ClockList = std::vector<unsigned>;

Result<ClockList> supported_memory_mhz(const Gpu& gpu);
Result<ClockList> supported_core_mhz(const Gpu& gpu, unsigned memory_mhz);
// Core clocks at the highest memory clock.
Result<ClockList> supported_core_mhz(const Gpu& gpu);

// The supported clock for a requested frequency. A whole number of MHz must be in the list; other frequencies
// are rounded to the nearest clock, and 0 means the lowest. With an empty (unknown) list every clock is
// accepted. `label` starts the error message, which names the nearest clocks: "gpu0 (NVIDIA H200) has no core
// clock of 1000 MHz; ...".
Result<unsigned> chosen_mhz(Hertz requested, std::span<const unsigned> supported, std::string_view label,
                            std::string_view domain);

}  // namespace ergon::device::nvml
