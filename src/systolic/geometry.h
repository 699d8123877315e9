#pragma once

#include <compare>
#include <cstdint>

#include "base/result.h"
#include "graph/topology.h"

namespace ergon::systolic {

// A layer as the matrix product that the array computes: rows are output places, columns of the left matrix
// are taps (row, column and channel of the filter), columns of the right one are filters.
//
//   place m = output_row * output_width + output_column       in [0, places)
//   tap   k = (filter_row * filter_width + filter_column) * channels + channel   in [0, taps)
//
// A last output row or column whose filter hangs over the edge of the input has taps that read nothing
// ("missing"); they take their slot in the array all the same.
struct Geometry {
  std::int64_t input_height = 0, input_width = 0;
  std::int64_t filter_height = 0, filter_width = 0;
  std::int64_t channels = 0, filters = 0;
  std::int64_t stride_height = 1, stride_width = 1;
  std::int64_t output_height = 0, output_width = 0;
  std::int64_t places = 0, taps = 0;
  std::int64_t missing_rows = 0;     // last filter rows that the last output row lacks
  std::int64_t missing_columns = 0;  // last filter columns that the last output column lacks

  std::int64_t macs() const { return places * taps * filters; }
  std::int64_t words_per_filter_row() const { return filter_width * channels; }

  bool has_missing() const { return missing_rows > 0 || missing_columns > 0; }
  bool is_missing(std::int64_t place, std::int64_t tap) const;
  // Missing pairs (m, k) with m < places_end and k < taps_end.
  std::int64_t missing_before(std::int64_t places_end, std::int64_t taps_end) const;

  // Whether some input word is read at more than one (place, tap).
  bool shares_inputs() const;

  // Distinct input words that are read at all.
  std::int64_t distinct_inputs() const;

  friend auto operator<=>(const Geometry&, const Geometry&) = default;
};

// Fails when a size is not positive, the filter does not fit in the input, or the layer's counts leave the
// range in which they are exact.
Result<Geometry> geometry_of(const graph::TopologyConv& row);

// A product as SCALE-Sim runs it: a filter as wide as the input moves down its rows.
graph::TopologyConv as_convolution(const graph::TopologyGemm& row);

}  // namespace ergon::systolic
