#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "control/summary.h"
#include "control/surfaces/oracle.h"
#include "control/targets/target.h"

namespace ergon::report {

// A run under power caps, with the oracle.
struct CapReport {
  control::CapRun run;
  control::Summary summary;
  std::optional<control::OraclePoint> best;  // oracle under the last cap; empty: no point meets it
  std::vector<std::string> not_held;         // caps that were not held, with the reason
  bool best_known = true;                    // false: there is no oracle (GPUs, open arrivals)

  // No change in the last decisions.
  bool settled() const;
  // Throughput relative to the oracle: after settling, otherwise over the time under the last cap.
  std::optional<double> share_of_best() const;
};

// The report of a run on a target, with the remarks about the target. There is no oracle if the surface is
// unknown, or with open arrivals: they limit the throughput. Contract: at least one cap.
CapReport cap_report(control::CapRun run, const control::Target& target,
                     const control::TargetSettings& settings, std::vector<std::string> not_held);

// Summary, caps with the time until each was met, and all decisions. Contract: at least one decision.
nlohmann::ordered_json cap_json(const CapReport& report);

}  // namespace ergon::report
