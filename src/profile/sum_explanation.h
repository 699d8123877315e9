#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "profile/validation.h"

namespace ergon::profile {

// What a sentence about a check needs beyond the check.
struct SumDetails {
  std::optional<Seconds> host;  // that the host needs for the whole network
  double host_bound = 1;        // the share of the time from which on the host is to blame
  double tolerance = 0;
  std::map<std::string, Seconds> kinds = {};  // what each kind of operation adds to the sum
  std::set<std::string> missing = {};         // kinds of operations without a usable row
};

// One sentence with the numbers. Contract: the reading is known.
std::string explain(const SumCheck& check, const SumDetails& details);

}  // namespace ergon::profile
