#pragma once

#include <string>
#include <vector>

#include "fleet/tally.h"

namespace ergon::fleet {

// A board whose UUID is on several hosts: it moved, or one of the hosts has two names.
struct RepeatedBoard {
  std::string uuid;
  std::vector<std::string> hosts;  // in order of name
  // Samples of two hosts overlap in time, so energy of the board is in the totals of both.
  bool at_once = false;
  Joules more_than_once;  // if at_once: the most that may be counted more than once
};

// In order of UUID.
std::vector<RepeatedBoard> repeated_boards(const Tally& tally);

}  // namespace ergon::fleet
