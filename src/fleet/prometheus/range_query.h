#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fleet/prometheus/gpu_labels.h"
#include "fleet/prometheus/step_range.h"

namespace ergon::fleet {

// "/api/v1/query_range?query=...&start=...&end=...&step=...", URL-encoded.
std::string range_query_path(std::string_view expression, const StepRange& range);

struct SeriesValue {
  std::int64_t at_ms = 0;
  std::optional<double> value;  // absent if NaN, infinite or not a number
};

struct LabeledSeries {
  Labels labels;
  std::vector<SeriesValue> values;
};

// The result of a range query (Prometheus: a range vector, "matrix").
struct Matrix {
  std::vector<LabeledSeries> series;
  std::vector<std::string> warnings;  // for example of a server that could not query all of its stores
};

// Reads {"status":"success","data":{"resultType":"matrix","result":[...]}}. Errors: the error that the
// server reports; a text that is not such a response.
Result<Matrix> parse_matrix(std::string_view text);

}  // namespace ergon::fleet
