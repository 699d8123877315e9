#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ergon::allocate {

// How the clocks of a GPU's operations are chosen. ARADA's three are its Algorithm 1 carried over: an
// operation that memory holds up gets the lowest clock at which it takes no longer.
enum class GpuScheme : std::uint8_t {
  race_to_idle,  // everything at the highest clock
  one_clock,     // the best single clock: what a locked clock can do
  ideal,         // any clock, changes cost nothing
  vf_oh,         // any clock, but only where an operation takes longer than a change of clock
  vf_oh_q,       // the same in the clocks that the GPU has
  greedy,        // every operation by itself, both changes paid, within its own time
  optimal,       // least energy within the time allowed
};

// "rti", "one-clock", "ideal", "vf-oh", "vf-oh-q", "greedy", "optimal".
std::string_view name_of(GpuScheme scheme);
// Errors: no such scheme. `optimal-split`, which arrays have, is told apart: a kernel runs at one clock.
Result<GpuScheme> gpu_scheme_of(std::string_view name);
std::vector<GpuScheme> all_gpu_schemes();
std::vector<std::string> gpu_scheme_names();

// Whether it stays within race to idle's time and slack by construction.
bool keeps_budget(GpuScheme scheme);

}  // namespace ergon::allocate
