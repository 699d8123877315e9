#pragma once

#include "fleet/answers/answers.h"

namespace ergon::fleet {

// Events of a name and level that took far longer than others of theirs: beyond three times the width of the
// middle half above it (Tukey's outer fence).
struct Lateness {
  double count = 0, excess_seconds = 0;  // above the median
  double fence_seconds = 0, median_seconds = 0;
};
using AllLateness = std::map<EventKey, Lateness>;
AllLateness lateness_of(const Tally& tally);

// What to mend, the largest saving first, and behind that what is wrong with the data. `answers` is complete
// but for them.
std::vector<Finding> findings_of(const Tally& tally, const AllLateness& lateness,
                                 const FleetAnswers& answers);

}  // namespace ergon::fleet
