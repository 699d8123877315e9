#include "systolic/trace/output_pattern.h"

#include <algorithm>

#include "base/contract.h"

namespace ergon::systolic {
namespace {

// sum over x in [0, columns) of max(0, lines - x)
std::int64_t ramp(std::int64_t lines, std::int64_t columns) {
  if (lines <= 0) return 0;
  if (lines <= columns) return lines * (lines + 1) / 2;
  return columns * lines - columns * (columns - 1) / 2;
}

}  // namespace

OutputPattern::OutputPattern(const Mapping& mapping) : mapping_(mapping) {
  const bool outputs_stay = mapping.dataflow == Dataflow::output_stationary;
  words_per_column_ = outputs_stay ? mapping.rows : mapping.row_folds * mapping.steps;
  total_ = words_per_column_ * mapping.columns;
}

std::int64_t OutputPattern::Trapezoid::before(std::int64_t line) const {
  return ramp(line - start, columns) - ramp(line - start - length, columns);
}

// Stationary outputs leave upwards after the last step, the lowest used row first. Other outputs leave the
// last row as they are computed.
OutputPattern::Trapezoid OutputPattern::trapezoid(std::int64_t row_fold, std::int64_t column_fold) const {
  const std::int64_t columns = mapping_.columns_used(column_fold);
  if (mapping_.dataflow == Dataflow::output_stationary) {
    const std::int64_t used = mapping_.rows_used(row_fold);
    return {mapping_.steps - 1 + mapping_.array.rows - used, columns, used};
  }
  return {2 * mapping_.array.rows - 1, columns, mapping_.steps};
}

std::int64_t OutputPattern::before_fold(std::int64_t row_fold, std::int64_t column_fold) const {
  const std::int64_t rows = mapping_.dataflow == Dataflow::output_stationary ? row_fold * mapping_.array.rows
                                                                             : row_fold * mapping_.steps;
  return column_fold * mapping_.array.columns * words_per_column_ + rows * mapping_.columns_used(column_fold);
}

std::int64_t OutputPattern::before(std::int64_t line) const {
  const std::int64_t fold = line / mapping_.lines_per_fold;
  if (fold >= mapping_.folds()) return total_;
  const std::int64_t row_fold = fold % mapping_.row_folds;
  const std::int64_t column_fold = fold / mapping_.row_folds;
  return before_fold(row_fold, column_fold) +
         trapezoid(row_fold, column_fold).before(line % mapping_.lines_per_fold);
}

std::int64_t OutputPattern::line_of(std::int64_t word) const {
  ERGON_EXPECTS(word >= 0 && word < total_);
  const std::int64_t column_fold = word / (words_per_column_ * mapping_.array.columns);
  const std::int64_t per_row_fold =
      (mapping_.dataflow == Dataflow::output_stationary ? mapping_.array.rows : mapping_.steps) *
      mapping_.columns_used(column_fold);
  const std::int64_t row_fold = (word - before_fold(0, column_fold)) / per_row_fold;
  const Trapezoid shape = trapezoid(row_fold, column_fold);
  const std::int64_t wanted = word - before_fold(row_fold, column_fold);
  // The first line after which more than `wanted` words are out.
  std::int64_t low = shape.start, high = shape.start + shape.length + shape.columns - 2;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (shape.before(middle + 1) > wanted) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return (column_fold * mapping_.row_folds + row_fold) * mapping_.lines_per_fold + low;
}

}  // namespace ergon::systolic
