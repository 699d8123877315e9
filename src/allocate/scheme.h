#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ergon::allocate {

// How clocks and bandwidths are chosen.
enum class Scheme : std::uint8_t {
  race_to_idle,   // everything at full speed
  ideal,          // ARADA: any clock, changes cost nothing
  vf_oh,          // ARADA: any clock, a wait shorter than a change of clock is left alone
  vf_oh_q,        // ARADA: the same in levels
  greedy,         // vf-oh-q made honest: every layer by itself, both changes paid, within its own time
  optimal,        // least energy within the time allowed, one clock per layer
  optimal_split,  // the same, and a layer may go on at the highest clock after a wait
};

// "rti", "ideal", "vf-oh", "vf-oh-q", "greedy", "optimal", "optimal-split".
std::string_view name_of(Scheme scheme);
Result<Scheme> scheme_of(std::string_view name);
std::vector<Scheme> all_schemes();
std::vector<std::string> scheme_names();

// The paper's own four.
bool is_arada(Scheme scheme);
// Whether a slack changes anything.
bool takes_slack(Scheme scheme);

}  // namespace ergon::allocate
