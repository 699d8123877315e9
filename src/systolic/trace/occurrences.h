#pragma once

#include <algorithm>
#include <cstdint>

#include "systolic/array/geometry.h"

namespace ergon::systolic {

// A convolution reads an input word at several (position, tap) pairs. Enumerating all pairs is too slow, but
// adjacent words behave alike: along a *run*, consecutive requests are adjacent in memory, and the other
// positions where these words are read form shifted runs.
//
// There are two kinds of runs, for the two orientations of an operand's lanes:
//   along taps    a position and a filter row; the offset counts the words of that filter row
//   along positions  a tap and an output row; the offset counts the columns of that output row

// The pairs (position + position_step * offset, tap + tap_step * offset) that read the same words as a run,
// for offsets in [first, end); one of them is the run itself.
struct Occurrence {
  std::int64_t position = 0, tap = 0;  // at offset 0, which may be outside [first, end)
  std::int64_t first = 0, end = 0;
};

// One filter row of one position: offset j is tap `tap + j`.
struct TapRun {
  std::int64_t position = 0, filter_row = 0;
  std::int64_t tap = 0;
  std::int64_t length = 0;  // words inside the input; the rest of the filter row is over the edge
};

TapRun tap_run(const Geometry& geometry, std::int64_t position, std::int64_t tap);

// One output row of one tap: offset j is position `position + j`.
struct PositionRun {
  std::int64_t tap = 0, output_row = 0;
  std::int64_t position = 0;
  std::int64_t length = 0;
};

PositionRun position_run(const Geometry& geometry, std::int64_t tap, std::int64_t position);

// Calls visit(Occurrence) for every run that reads words of this one, itself included.
template <typename Visit>
void visit_occurrences(const Geometry& g, const TapRun& run, const Visit& visit) {
  const std::int64_t row_words = g.words_per_filter_row();
  const std::int64_t step_words = g.stride_width * g.channels;  // shift of an adjacent window
  const std::int64_t output_row = run.position / g.output_width, column = run.position % g.output_width;
  const std::int64_t reach = (row_words - 1) / step_words;  // windows to either side that share words
  for (std::int64_t filter_row = run.filter_row % g.stride_height; filter_row < g.filter_height;
       filter_row += g.stride_height) {
    const std::int64_t row = output_row + (run.filter_row - filter_row) / g.stride_height;
    if (row < 0 || row >= g.output_height) continue;
    const std::int64_t left = std::max<std::int64_t>(0, column - reach);
    const std::int64_t right = std::min(g.output_width - 1, column + reach);
    for (std::int64_t other = left; other <= right; ++other) {
      const std::int64_t shift = (other - column) * step_words;
      visit(Occurrence{row * g.output_width + other, filter_row * row_words - shift,
                       std::max<std::int64_t>(0, shift), std::min(run.length, row_words + shift)});
    }
  }
}

template <typename Visit>
void visit_occurrences(const Geometry& g, const PositionRun& run, const Visit& visit) {
  const std::int64_t row_words = g.words_per_filter_row();
  const std::int64_t filter_row = run.tap / row_words;
  const std::int64_t filter_column = run.tap % row_words / g.channels, channel = run.tap % g.channels;
  for (std::int64_t other_row = filter_row % g.stride_height; other_row < g.filter_height;
       other_row += g.stride_height) {
    const std::int64_t row = run.output_row + (filter_row - other_row) / g.stride_height;
    if (row < 0 || row >= g.output_height) continue;
    for (std::int64_t other_column = filter_column % g.stride_width; other_column < g.filter_width;
         other_column += g.stride_width) {
      const std::int64_t shift = (filter_column - other_column) / g.stride_width;
      visit(Occurrence{row * g.output_width + shift,
                       other_row * row_words + other_column * g.channels + channel,
                       std::max<std::int64_t>(0, -shift), std::min(run.length, g.output_width - shift)});
    }
  }
}

}  // namespace ergon::systolic
