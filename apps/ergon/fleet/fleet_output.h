#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command.h"
#include "fleet/summary/fleet_summary.h"
#include "fleet/summary/summary_table.h"
#include "report/fleet_json.h"

namespace ergon::app {

// Output options that analyze and merge have in common.
struct FleetOutput {
  Prices prices;
  std::vector<fleet::SummaryTable> by;  // empty: event and level
  std::optional<std::string> out, part, means;

  void declare(Options& options);
  // Reads --gpu-means, writes the requested files and prints the summary.
  Result<int> deliver(const fleet::Tally& tally, std::vector<std::string> inputs,
                      const std::vector<std::string>& warnings, Shell& shell) const;

  // Whether a table of --by is shown.
  bool shows(fleet::SummaryTable table) const;

 private:
  Result<> write_part(const fleet::Tally& tally, const std::string& file,
                      const std::vector<std::string>& inputs, Shell& shell) const;
};

}  // namespace ergon::app
