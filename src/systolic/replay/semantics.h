#pragma once

#include <cstdint>
#include <string_view>

namespace ergon::systolic {

// The timing rules of a simulation; docs/systolic.md compares them.
enum class Semantics : std::uint8_t {
  v3,       // SCALE-Sim v3 (2025): a positive stall counts twice
  v2,       // scale-sim-v2 as of 2025
  v2_2021,  // scale-sim-v2 as of December 2021: early data can subtract a cycle
  ergon,    // without the known defects, and with one memory channel shared by all operands
};

inline constexpr Semantics kSemantics[] = {Semantics::v3, Semantics::v2, Semantics::v2_2021,
                                           Semantics::ergon};
std::string_view name_of(Semantics semantics);

}  // namespace ergon::systolic
