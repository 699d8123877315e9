#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sweep/evaluation/observation.h"
#include "table/table.h"

namespace ergon::sweep {

// The runs of a table, its columns found as columns.h says, in an order that does not depend on the table's.
// A row with something else than a number where one belongs is left out and counted. Errors: columns that are
// missing, or hold no number at all; not one run that can be used.
Result<Observations> observations_of(const table::Table& table, const std::vector<std::string>& mappings);

// The same for a CSV file.
Result<Observations> read_observations(const std::filesystem::path& path,
                                       const std::vector<std::string>& mappings,
                                       const std::stop_token& stop = {});

}  // namespace ergon::sweep
