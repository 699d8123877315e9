#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "control/oracle.h"
#include "control/summary.h"

namespace ergon::report {

// A run under caps, and what was possible.
struct CapReport {
  control::Run run;
  control::Summary summary;
  std::optional<control::Best> best;  // under the last cap, by any batch and clock; nothing: none holds it
  std::vector<std::string> unheld;    // caps that were not held, and why
  bool best_known = true;             // false: nobody knows what would be possible

  // It stayed where it was for the last decisions.
  bool settled() const;
  // Of the best possible under the last cap: once settled, or else over all the time under that cap.
  std::optional<double> share_of_best() const;
};

// The summary, the caps with the time each took, and every decision. Contract: there was one.
nlohmann::ordered_json cap_json(const CapReport& report);

}  // namespace ergon::report
