#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

#include "systolic/read_demand.h"

namespace ergon::systolic {

// What SCALE-Sim's calculated bandwidth needs to know of an operand. There the scratchpad never makes the
// array wait; it remembers which words it has fetched, and when half of it is full (an epoch) it forgets them
// all and starts over.
struct EpochPlan {
  std::int64_t set_words = 0;    // a hundredth of the scratchpad
  std::int64_t epoch_words = 0;  // fifty sets

  explicit EpochPlan(std::int64_t scratchpad_words)
      : set_words(scratchpad_words / 100), epoch_words(50 * set_words) {}
};

// Words that come in a cycle while the first data are fetched.
inline constexpr std::int64_t kAssumedWords = 10;

struct Epochs {
  std::int64_t fetched = 0;                  // words, all epochs together
  std::optional<std::int64_t> last_full;     // the line in which the last full epoch became full
  std::optional<std::int64_t> first_double;  // a line in which two epochs became full, if there is one
};

// Cut short, and of no use, when asked to stop.
Epochs walk_epochs(const ReadDemand& demand, const EpochPlan& plan, const std::stop_token& stop = {});

}  // namespace ergon::systolic
