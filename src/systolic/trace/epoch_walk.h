#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

#include "systolic/trace/read_demand.h"

namespace ergon::systolic {

// Fetches of one operand under SCALE-Sim's calculated bandwidth. There the scratchpad never stalls the array.
// It records the fetched words; when half of it is full (the end of an epoch), it clears all of them.
struct EpochPlan {
  std::int64_t set_words = 0;    // a hundredth of the scratchpad
  std::int64_t epoch_words = 0;  // fifty sets

  explicit EpochPlan(std::int64_t scratchpad_words)
      : set_words(scratchpad_words / 100), epoch_words(50 * set_words) {}
};

// Words per cycle while the first data are fetched.
inline constexpr std::int64_t kAssumedWords = 10;

struct Epochs {
  std::int64_t fetched = 0;                  // words, all epochs together
  std::optional<std::int64_t> last_full;     // the line in which the last full epoch ended
  std::optional<std::int64_t> first_double;  // a line in which two epochs ended, if any
};

// Returns early, with an incomplete result, when a stop is requested.
Epochs walk_epochs(const ReadDemand& demand, const EpochPlan& plan, const std::stop_token& stop = {});

}  // namespace ergon::systolic
