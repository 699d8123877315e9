#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ergon::systolic {

// The timing rules of a simulation; docs/systolic.md compares them.
enum class Semantics : std::uint8_t {
  v3,       // SCALE-Sim v3 (2025): a positive stall counts twice
  v2,       // scale-sim-v2 as of 2025
  v2_2021,  // scale-sim-v2 as of December 2021: early data can subtract a cycle
  ergon,    // without the known defects, and with one memory channel shared by all operands
};

std::string_view name_of(Semantics semantics);
Result<Semantics> semantics_of(std::string_view name);
std::vector<std::string> semantics_names();

}  // namespace ergon::systolic
