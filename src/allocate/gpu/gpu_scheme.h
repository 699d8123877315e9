#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ergon::allocate {

// How the clocks of a GPU's operations are chosen. `ideal`, `vf_oh` and `vf_oh_q` adapt Algorithm 1 of ARADA:
// a memory-bound operation gets the lowest clock at which it takes no longer.
enum class GpuScheme : std::uint8_t {
  race_to_idle,  // the highest clock
  one_clock,     // the best single locked clock
  ideal,         // arbitrary clocks, switches are free
  vf_oh,         // arbitrary clocks, only for operations longer than a switch
  vf_oh_q,       // vf_oh with the clocks that the GPU supports
  greedy,        // each operation alone: lowest energy within its own time, with both switches
  optimal,       // minimum energy within the allowed time
};

// "rti", "one-clock", "ideal", "vf-oh", "vf-oh-q", "greedy", "optimal".
std::string_view name_of(GpuScheme scheme);
// Ignores case. Errors: unknown_name, with a suggestion; `optimal-split`, which only arrays support.
Result<GpuScheme> gpu_scheme_of(std::string_view name);
std::vector<GpuScheme> all_gpu_schemes();
std::vector<std::string> gpu_scheme_names();

}  // namespace ergon::allocate
