#include "systolic/trace/occurrences.h"

namespace ergon::systolic {

TapRun tap_run(const Geometry& g, std::int64_t position, std::int64_t tap) {
  const std::int64_t row_words = g.words_per_filter_row();
  TapRun run{position, tap / row_words, tap / row_words * row_words, row_words};
  if (position / g.output_width == g.output_height - 1 &&
      run.filter_row >= g.filter_height - g.missing_rows) {
    run.length = 0;
  } else if (position % g.output_width == g.output_width - 1) {
    run.length -= g.missing_columns * g.channels;
  }
  return run;
}

PositionRun position_run(const Geometry& g, std::int64_t tap, std::int64_t position) {
  const std::int64_t row_words = g.words_per_filter_row();
  const std::int64_t row = position / g.output_width;
  PositionRun run{tap, row, row * g.output_width, g.output_width};
  if (row == g.output_height - 1 && tap / row_words >= g.filter_height - g.missing_rows) {
    run.length = 0;
  } else if (tap % row_words / g.channels >= g.filter_width - g.missing_columns) {
    run.length -= 1;
  }
  return run;
}

}  // namespace ergon::systolic
