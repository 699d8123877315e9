#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ergon::allocate {

// How clocks and bandwidths are chosen. See glossary: scheme.
enum class Scheme : std::uint8_t {
  race_to_idle,   // highest clock and full bandwidth
  ideal,          // ARADA: arbitrary clocks, switches are free
  vf_oh,          // ARADA: arbitrary clocks; stalls shorter than a switch are ignored
  vf_oh_q,        // ARADA: vf_oh with clocks rounded up to levels
  greedy,         // each layer alone: lowest energy within its own time, with both switches
  optimal,        // minimum energy within the allowed time, one clock per layer
  optimal_split,  // optimal, and a layer may continue at the highest clock after a stall
};

// "rti", "ideal", "vf-oh", "vf-oh-q", "greedy", "optimal", "optimal-split".
std::string_view name_of(Scheme scheme);
// Ignores case. Errors: unknown_name, with a suggestion.
Result<Scheme> scheme_of(std::string_view name);
std::vector<Scheme> all_schemes();
std::vector<std::string> scheme_names();

// One of the four schemes of the ARADA paper.
bool is_arada(Scheme scheme);
// Whether the scheme uses the slack.
bool takes_slack(Scheme scheme);

}  // namespace ergon::allocate
