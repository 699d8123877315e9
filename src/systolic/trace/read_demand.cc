#include "systolic/trace/read_demand.h"

#include <algorithm>

#include "base/contract.h"

namespace ergon::systolic {
namespace {

using Order = OperandStream::Order;

// The last row of a lane that holds a word, or -1.
std::int64_t last_row_with_word(const Geometry& g, LaneAxis axis, std::int64_t lane) {
  if (axis == LaneAxis::positions) {
    const bool last_row = lane / g.output_width == g.output_height - 1;
    const bool last_column = lane % g.output_width == g.output_width - 1;
    const std::int64_t rows = g.filter_height - (last_row ? g.missing_rows : 0);
    const std::int64_t columns = g.filter_width - (last_column ? g.missing_columns : 0);
    if (rows <= 0 || columns <= 0) return -1;
    return ((rows - 1) * g.filter_width + columns) * g.channels - 1;
  }
  const std::int64_t row_words = g.words_per_filter_row();
  const bool low = lane / row_words >= g.filter_height - g.missing_rows;
  const bool right = lane % row_words / g.channels >= g.filter_width - g.missing_columns;
  const std::int64_t rows = g.output_height - (low ? 1 : 0), columns = g.output_width - (right ? 1 : 0);
  if (rows <= 0 || columns <= 0) return -1;
  return (rows - 1) * g.output_width + columns - 1;
}

}  // namespace

ReadDemand::ReadDemand(const Geometry& geometry, const Mapping& mapping, const OperandStream& stream,
                       bool is_ifmap, bool by_row_fold, std::int64_t first_line)
    : mapping_(mapping),
      geometry_(geometry),
      stream_(stream),
      is_ifmap_(is_ifmap),
      by_row_fold_(by_row_fold),
      first_line_(first_line) {}

ReadDemand ReadDemand::of_ifmap(const Geometry& g, const Mapping& m) {
  OperandStream::Shape shape{
      Order::by_diagonals, LaneAxis::positions, g.positions, g.taps, m.array.rows, true};
  switch (m.dataflow) {
    case Dataflow::output_stationary:
      return {g, m, OperandStream(shape, g), true, true, 0};
    case Dataflow::weight_stationary:
      shape.axis = LaneAxis::taps;
      shape.lanes = g.taps;
      shape.rows = g.positions;
      return {g, m, OperandStream(shape, g), true, true, m.array.rows};
    case Dataflow::input_stationary:
      break;
  }
  shape.order = Order::by_rows;
  shape.width = m.array.columns;
  return {g, m, OperandStream(shape, g), true, false, 0};
}

ReadDemand ReadDemand::of_filter(const Geometry& g, const Mapping& m) {
  OperandStream::Shape shape{
      Order::by_diagonals, LaneAxis::filters, g.filters, g.taps, m.array.columns, false};
  switch (m.dataflow) {
    case Dataflow::output_stationary:
      return {g, m, OperandStream(shape, g), false, false, 0};
    case Dataflow::weight_stationary:
      shape.order = Order::by_rows;
      return {g, m, OperandStream(shape, g), false, false, 0};
    case Dataflow::input_stationary:
      break;
  }
  shape.axis = LaneAxis::taps;
  shape.lanes = g.taps;
  shape.rows = g.filters;
  shape.width = m.array.rows;
  return {g, m, OperandStream(shape, g), false, true, m.array.rows};
}

std::int64_t ReadDemand::previous_fold(std::int64_t fold) const {
  if (!staggered()) return -1;  // an operand that stays is loaded once
  if (by_row_fold_) return fold - mapping_.row_folds >= 0 ? fold - mapping_.row_folds : -1;
  return fold % mapping_.row_folds > 0 ? fold - 1 : -1;
}

std::int64_t ReadDemand::fold_of(std::int64_t fold, std::int64_t block, std::int64_t row) const {
  if (!staggered()) return block * mapping_.row_folds + row / mapping_.array.rows;
  if (by_row_fold_) return fold / mapping_.row_folds * mapping_.row_folds + block;
  return block * mapping_.row_folds + fold % mapping_.row_folds;
}

std::int64_t ReadDemand::first_row(std::int64_t fold) const {
  return staggered() ? 0 : fold % mapping_.row_folds * mapping_.array.rows;
}

std::int64_t ReadDemand::end_row(std::int64_t fold) const {
  return staggered() ? stream_.rows() : std::min(stream_.rows(), first_row(fold) + mapping_.array.rows);
}

std::int64_t ReadDemand::first_request() const {
  // Position 0 and filter row and column 0 always exist, and so does every tap of position 0.
  if (staggered()) return first_line_;
  return line_of(end_row(0) - 1, 0);
}

std::int64_t ReadDemand::last_line_in(std::int64_t fold) const {
  const std::int64_t block = block_of(fold), lanes = stream_.lanes_of(block);
  const bool holes = is_ifmap_ && geometry_.has_missing();
  if (staggered()) {
    if (!holes) return line_of(stream_.rows() - 1, lanes - 1);
    std::int64_t last = -1;
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      const std::int64_t row = last_row_with_word(geometry_, stream_.axis(), block * stream_.width() + lane);
      if (row >= 0) last = std::max(last, line_of(row, lane));
    }
    return last;
  }
  for (std::int64_t row = first_row(fold); row < end_row(fold); ++row) {
    if (stream_.words_in_row(block, row) > 0) return line_of(row, 0);
  }
  return -1;
}

std::int64_t ReadDemand::last_request() const {
  for (std::int64_t fold = mapping_.folds() - 1; fold >= 0; --fold) {
    const std::int64_t line = last_line_in(fold);
    if (line >= 0) return fold * mapping_.lines_per_fold + line;
  }
  return ERGON_EXPECTS(false), 0;
}

}  // namespace ergon::systolic
