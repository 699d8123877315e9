#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "sweep/evaluation/observation.h"
#include "table/table.h"

namespace ergon::sweep {

// The runs of a table, sorted; columns are found as in columns.h. Rows with a value that is not a number are
// excluded and counted. Errors: missing columns; numeric columns without a number; no usable run.
Result<Observations> observations_of(const table::Table& table, const std::vector<std::string>& mappings);

}  // namespace ergon::sweep
