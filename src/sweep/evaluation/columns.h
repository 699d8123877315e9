#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ergon::sweep {

// Fields that the evaluation reads from a table.
enum class Field {
  network,
  device,
  batch,
  scenario,
  clock_requested,
  clock_observed,
  time,
  power_max,
  power_mean,
  energy,
  valid,
  reasons,
  simulated,
};

// The columns of a field in a table.
struct FieldSource {
  std::vector<std::string> columns;  // several if the network name is joined from columns
  double unit = 1;                   // SI value of 1 in this column
};
using FieldSources = std::map<Field, FieldSource>;

// The fields that `mappings` name, for a table with columns `names`. Errors: invalid_input for an invalid or
// repeated mapping; not_found for a column that does not exist.
Result<FieldSources> mapped_sources(std::span<const std::string> names,
                                    std::span<const std::string> mappings);

// Finds the fields of a table with columns `names`. Without mappings, these are the columns of runs.csv
// (docs/sweep.md). A mapping is "OURS=THEIRS": OURS is one of those columns ("power_mean_watts") or its short
// name ("power"); THEIRS is a column of the table or, for the network, several columns joined with '+'. It
// may end in ":UNIT" ("time=run_time:ms"); default units are MHz, seconds, watts and joules. A reversed
// mapping is accepted if only that makes sense. Errors: an invalid mapping; a missing column of network,
// clock, time or power.
Result<FieldSources> field_sources(std::span<const std::string> names, std::span<const std::string> mappings);

// Values of OURS, for help texts.
std::vector<std::string> short_field_names();

}  // namespace ergon::sweep
