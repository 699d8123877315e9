#pragma once

#include <compare>
#include <cstdint>

#include "base/result.h"
#include "graph/topology.h"

namespace ergon::systolic {

// A layer as the matrix product that the array computes: rows are output positions, columns of the left
// matrix are taps (row, column and channel of the filter), columns of the right one are filters.
//
//   position m = output_row * output_width + output_column       in [0, positions)
//   tap   k = (filter_row * filter_width + filter_column) * channels + channel   in [0, taps)
//
// If the filter extends over the edge of the input in the last output row or column, some taps read no data
// ("missing"). They still occupy their slot in the array.
struct Geometry {
  std::int64_t input_height = 0, input_width = 0;
  std::int64_t filter_height = 0, filter_width = 0;
  std::int64_t channels = 0, filters = 0;
  std::int64_t stride_height = 1, stride_width = 1;
  std::int64_t output_height = 0, output_width = 0;
  std::int64_t positions = 0, taps = 0;
  std::int64_t missing_rows = 0;     // filter rows outside the input in the last output row
  std::int64_t missing_columns = 0;  // filter columns outside the input in the last output column

  std::int64_t macs() const { return positions * taps * filters; }
  std::int64_t words_per_filter_row() const { return filter_width * channels; }

  bool has_missing() const { return missing_rows > 0 || missing_columns > 0; }
  bool is_missing(std::int64_t position, std::int64_t tap) const;
  // Missing pairs (m, k) with m < positions_end and k < taps_end.
  std::int64_t missing_before(std::int64_t positions_end, std::int64_t taps_end) const;

  // True if some input word is read at more than one (position, tap).
  bool shares_inputs() const;

  // Distinct input words that are read.
  std::int64_t distinct_inputs() const;

  friend auto operator<=>(const Geometry&, const Geometry&) = default;
};

// Fails if a size is not positive, the filter is larger than the input, or a count exceeds the exact range.
Result<Geometry> geometry_of(const graph::TopologyConv& row);

// A matrix product as SCALE-Sim runs it: a filter as wide as the input slides down its rows.
graph::TopologyConv as_convolution(const graph::TopologyGemm& row);

}  // namespace ergon::systolic
