#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ergon::sweep {

// What the evaluation reads of a table.
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

// Where a field stands in a table.
struct FieldSource {
  std::vector<std::string> columns;  // several for a network's name that is made of parts
  double unit = 1;                   // what one of the column's numbers is in SI units
};
using FieldSources = std::map<Field, FieldSource>;

// The fields that mappings name, of a table with columns `names`. Errors: invalid_input, a mapping that
// cannot be understood or says something twice; not_found, a column that is not in the table.
Result<FieldSources> mapped_sources(std::span<const std::string> names,
                                    std::span<const std::string> mappings);

// Finds the fields of a table with columns `names`. Without mappings these are the columns of our own files
// (docs/sweep.md). A mapping is "OURS=THEIRS": OURS is a column of ours ("power_mean_watts") or its short
// name ("power"), THEIRS a column of the table or, for the network, several joined with '+'. It may end in
// ":UNIT" ("time=run_time:ms"); otherwise numbers are in the contract's units: MHz, seconds, watts and
// joules. A mapping written the other way round is understood where only that makes sense. Errors: a mapping
// that cannot be understood; columns without which nothing can be evaluated (network, clock, time, a power),
// by name, with the columns there are and how to name them.
Result<FieldSources> field_sources(std::span<const std::string> names, std::span<const std::string> mappings);

// The names that OURS may be, as a help text shows them.
std::vector<std::string> short_field_names();

}  // namespace ergon::sweep
