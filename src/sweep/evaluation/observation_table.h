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

// The runs of a table, sorted; columns are found as in columns.h. Rows with a value that is not a number are
// excluded and counted. Errors: missing columns; numeric columns without a number; no usable run.
Result<Observations> observations_of(const table::Table& table, const std::vector<std::string>& mappings);

// The same for a CSV file.
Result<Observations> read_observations(const std::filesystem::path& path,
                                       const std::vector<std::string>& mappings,
                                       const std::stop_token& stop = {});

}  // namespace ergon::sweep
