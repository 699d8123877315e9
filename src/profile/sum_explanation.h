#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "profile/validation.h"

namespace ergon::profile {

// Values for the explanation of a check.
struct SumDetails {
  std::optional<Seconds> host;  // launch time of the whole network
  double host_bound = 1;        // host-bound if the host needs at least this share of the time
  double tolerance = 0;
  std::map<std::string, Seconds> times = {};  // sum by operation type
  std::set<std::string> missing = {};         // operation types without a usable row
};

// One sentence with the numbers. Contract: the verdict is set.
std::string explain(const SumCheck& check, const SumDetails& details);

}  // namespace ergon::profile
