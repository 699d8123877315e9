#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "device/control.h"
#include "device/nvml/gpu.h"

namespace ergon::device::nvml {

// Clocks as NVML counts them, in whole MHz; ascending, each once.
using ClockList = std::vector<unsigned>;

Result<ClockList> supported_memory_mhz(const Gpu& gpu);
Result<ClockList> supported_core_mhz(const Gpu& gpu, unsigned memory_mhz);
// At the highest memory clock.
Result<ClockList> supported_core_mhz(const Gpu& gpu);

// The clock of a list that somebody asks for. Whole MHz must be in it; what lies between is rounded to the
// nearest, and 0 is the lowest. An empty list is one that is not known: anything goes. `who` begins the
// message of an error, which names the nearest: "gpu0 (NVIDIA H200) has no core clock of 1000 MHz; ...".
Result<unsigned> chosen_mhz(Hertz asked, std::span<const unsigned> supported, std::string_view who,
                            std::string_view domain);

}  // namespace ergon::device::nvml
