#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ergon::systolic {

// Whose rules a simulation follows; docs/systolic.md tells them apart.
enum class Semantics : std::uint8_t {
  v3,       // SCALE-Sim v3 (2025): a positive stall counts twice
  v2,       // scale-sim-v2 as of 2025
  v2_2021,  // scale-sim-v2 as of December 2021: early data can take back a cycle
  ergon,    // without the known defects, and with one memory channel that all operands share
};

std::string_view name_of(Semantics semantics);
Result<Semantics> semantics_of(std::string_view name);
std::vector<std::string> semantics_names();

}  // namespace ergon::systolic
