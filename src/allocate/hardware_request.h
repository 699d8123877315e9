#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "allocate/hardware.h"
#include "base/result.h"
#include "systolic/setup/bandwidth.h"

namespace ergon::allocate {

// The memory's part in the energy of a schedule.
enum class MemoryEnergy : std::uint8_t {
  off,    // not included
  fixed,  // the memory runs at full bandwidth
  dvfs,   // the memory runs at the bandwidth of each layer
};
inline constexpr MemoryEnergy kMemoryEnergies[] = {MemoryEnergy::off, MemoryEnergy::fixed,
                                                   MemoryEnergy::dvfs};
std::string_view name_of(MemoryEnergy energy);

// Timing rules that model a lower clock (Hardware::check()).
inline constexpr systolic::Semantics kAllocationSemantics[] = {
    systolic::Semantics::v2_2021, systolic::Semantics::v2, systolic::Semantics::ergon};

// What a user chose; the defaults are those of Hardware and of the accelerator.
struct HardwareRequest {
  std::optional<std::string> accelerator, memory;  // built-in names or files
  std::optional<systolic::Bandwidth> bandwidth;    // instead of the memory's; not calculated
  std::optional<Hertz> clock, clock_step;
  std::optional<Seconds> switch_time;
  double switch_power = Hardware{}.switch_power;
  double stall_power = Hardware{}.stall_power;
  double bandwidth_step = Hardware{}.word_step;          // words per cycle
  std::string voltage = systolic::kDefaultVoltageCurve;  // built-in name or file
  std::optional<double> leakage;                         // instead of the voltage curve's
  MemoryEnergy memory_energy = MemoryEnergy::off;
  systolic::Semantics semantics = Hardware{}.semantics;
};

struct ResolvedHardware {
  Hardware hardware;
  std::string accelerator;            // name
  std::optional<std::string> memory;  // name; absent if its bandwidth is not used
  std::vector<std::string> files;     // that were read

  // Two lines: "edge-tpu, 500 MHz in steps of 50 MHz; lpddr4, 8 GB/s", and the voltage with its lowest value.
  std::string text() const;
};

// Errors: unknown names; those of reading files; unknown power of memory or array; those of
// Hardware::check(); a memory and a bandwidth, unless the energy of the memory counts.
Result<ResolvedHardware> resolve(const HardwareRequest& request);

}  // namespace ergon::allocate
