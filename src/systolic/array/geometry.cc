#include "systolic/array/geometry.h"

#include <algorithm>

#include "base/text.h"
#include "graph/count.h"

namespace ergon::systolic {
namespace {

// Distinct positions that `count` windows of `length`, `stride` apart, touch within [0, extent).
std::int64_t touched(std::int64_t count, std::int64_t stride, std::int64_t length, std::int64_t extent) {
  if (length >= stride) return std::min(extent, (count - 1) * stride + length);
  const std::int64_t last = (count - 1) * stride;
  return (count - 1) * length + std::clamp<std::int64_t>(extent - last, 0, length);
}

}  // namespace

bool Geometry::is_missing(std::int64_t position, std::int64_t tap) const {
  if (!has_missing()) return false;
  const std::int64_t filter_row = tap / words_per_filter_row();
  const std::int64_t filter_column = tap % words_per_filter_row() / channels;
  return (position / output_width == output_height - 1 && filter_row >= filter_height - missing_rows) ||
         (position % output_width == output_width - 1 && filter_column >= filter_width - missing_columns);
}

std::int64_t Geometry::missing_before(std::int64_t positions_end, std::int64_t taps_end) const {
  if (!has_missing()) return 0;
  const std::int64_t row_words = words_per_filter_row();
  const std::int64_t lost_words = missing_columns * channels;  // at the end of each filter row
  const auto lost_in_rows = [&](std::int64_t end) {
    return end / row_words * lost_words +
           std::max<std::int64_t>(end % row_words - (row_words - lost_words), 0);
  };
  const std::int64_t kept_rows_end = (filter_height - missing_rows) * row_words;
  const std::int64_t taps_right = lost_in_rows(taps_end);
  const std::int64_t taps_below = std::max<std::int64_t>(taps_end - kept_rows_end, 0);
  const std::int64_t taps_both =
      taps_end > kept_rows_end ? taps_right - lost_in_rows(kept_rows_end) : std::int64_t{0};
  const std::int64_t positions_right = missing_columns > 0 ? positions_end / output_width : 0;
  const std::int64_t positions_below =
      missing_rows > 0 ? std::max<std::int64_t>(positions_end - (output_height - 1) * output_width, 0) : 0;
  const std::int64_t positions_both = missing_columns > 0 && missing_rows > 0 && positions_end == positions
                                          ? std::int64_t{1}
                                          : std::int64_t{0};
  return positions_right * taps_right + positions_below * taps_below - positions_both * taps_both;
}

bool Geometry::shares_inputs() const {
  return (filter_width > stride_width && output_width > 1) ||
         (filter_height > stride_height && output_height > 1);
}

std::int64_t Geometry::distinct_inputs() const {
  return touched(output_height, stride_height, filter_height, input_height) *
         touched(output_width, stride_width, filter_width, input_width) * channels;
}

Result<Geometry> geometry_of(const graph::TopologyConv& row) {
  for (const std::int64_t size : {row.input_height, row.input_width, row.filter_height, row.filter_width,
                                  row.channels, row.filters, row.stride_height, row.stride_width}) {
    if (size < 1) return fail(Errc::invalid_input, "layer \"{}\": a size of {}", printable(row.name), size);
  }
  if (row.filter_height > row.input_height || row.filter_width > row.input_width) {
    return fail(Errc::invalid_input, "layer \"{}\": a filter of {} x {} does not fit in {} x {}",
                printable(row.name), row.filter_height, row.filter_width, row.input_height, row.input_width);
  }
  Geometry g;
  g.input_height = row.input_height;
  g.input_width = row.input_width;
  g.filter_height = row.filter_height;
  g.filter_width = row.filter_width;
  g.channels = row.channels;
  g.filters = row.filters;
  g.stride_height = row.stride_height;
  g.stride_width = row.stride_width;
  g.output_height = row.output_height();
  g.output_width = row.output_width();

  using graph::Count;
  const Count positions = Count{g.output_height} * g.output_width;
  const Count taps = Count{g.filter_height} * g.filter_width * g.channels;
  const Count inputs = Count{g.input_height} * g.input_width * g.channels;
  // All later counts are at most a small multiple of one of these, so they are exact as doubles.
  constexpr std::int64_t kLargest = std::int64_t{1} << 48;
  for (const Count& count :
       {positions * taps, taps * Count{g.filters}, positions * Count{g.filters}, inputs}) {
    if (count.overflowed() || count.exact() > kLargest) {
      return fail(Errc::invalid_input, "layer \"{}\" is too large: more than 2^48 words in one operand",
                  printable(row.name));
    }
  }
  if ((positions * taps * Count{g.filters}).overflowed()) {
    return fail(Errc::invalid_input, "layer \"{}\" is too large: its MACs do not fit in 64 bits",
                printable(row.name));
  }
  g.positions = positions.exact();
  g.taps = taps.exact();
  const auto beyond = [](std::int64_t count, std::int64_t stride, std::int64_t length, std::int64_t extent) {
    return std::clamp<std::int64_t>((count - 1) * stride + length - extent, 0, length);
  };
  g.missing_rows = beyond(g.output_height, g.stride_height, g.filter_height, g.input_height);
  g.missing_columns = beyond(g.output_width, g.stride_width, g.filter_width, g.input_width);
  return g;
}

graph::TopologyConv as_convolution(const graph::TopologyGemm& row) {
  return {row.name, row.m, row.k, 1, row.k, 1, row.n, 1, 1};
}

}  // namespace ergon::systolic
