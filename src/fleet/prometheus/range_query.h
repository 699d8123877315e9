#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fleet/prometheus/gpu_labels.h"
#include "fleet/prometheus/step_range.h"

namespace ergon::fleet {

// "/api/v1/query_range?query=...&start=...&end=...&step=...", encoded as URLs are.
std::string range_query_path(std::string_view expression, const StepRange& range);

struct SeriesValue {
  std::int64_t at_ms = 0;
  std::optional<double> value;  // nothing where it is NaN, infinite, or no number
};

struct LabelledSeries {
  Labels labels;
  std::vector<SeriesValue> values;
};

// The answer to a range query: a matrix, as Prometheus calls it.
struct Matrix {
  std::vector<LabelledSeries> series;
  std::vector<std::string> warnings;  // of a server that could not ask all of its stores, for one
};

// Reads {"status":"success","data":{"resultType":"matrix","result":[...]}}. Errors: what the server says went
// wrong, or how the text is no such answer.
Result<Matrix> parse_matrix(std::string_view text);

}  // namespace ergon::fleet
