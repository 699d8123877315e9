#include "systolic/stepped/trace.h"

#include <algorithm>

namespace ergon::systolic::stepped {
namespace {

using Matrix = std::vector<std::vector<std::int64_t>>;

std::vector<std::int64_t> by_rows(const Matrix& matrix) {
  std::vector<std::int64_t> stream;
  for (const auto& row : matrix) stream.insert(stream.end(), row.begin(), row.end());
  return stream;
}

// Along the anti-diagonals, the lowest row first.
std::vector<std::int64_t> by_diagonals(const Matrix& matrix) {
  const auto rows = static_cast<std::int64_t>(matrix.size());
  const auto columns = static_cast<std::int64_t>(matrix[0].size());
  std::vector<std::int64_t> stream;
  for (std::int64_t diagonal = 0; diagonal < rows + columns; ++diagonal) {
    for (std::int64_t row = std::min(diagonal, rows - 1);
         row >= std::max<std::int64_t>(0, diagonal - columns + 1); --row) {
      stream.push_back(matrix[static_cast<std::size_t>(row)][static_cast<std::size_t>(diagonal - row)]);
    }
  }
  return stream;
}

// Blocks of `width` lanes, one below the other; at(row, lane) is the operand.
template <typename At>
Matrix stacked(std::int64_t blocks, std::int64_t rows, std::int64_t width, const At& at) {
  Matrix matrix;
  for (std::int64_t block = 0; block < blocks; ++block) {
    for (std::int64_t row = 0; row < rows; ++row) {
      auto& slots = matrix.emplace_back();
      for (std::int64_t lane = 0; lane < width; ++lane) slots.push_back(at(row, block * width + lane));
    }
  }
  return matrix;
}

}  // namespace

std::int64_t Trace::input(std::int64_t position, std::int64_t tap) const {
  if (position < 0 || position >= g_.positions || tap < 0 || tap >= g_.taps) return kNothing;
  const std::int64_t row =
      position / g_.output_width * g_.stride_height + tap / (g_.filter_width * g_.channels);
  const std::int64_t column =
      position % g_.output_width * g_.stride_width + tap / g_.channels % g_.filter_width;
  if (row >= g_.input_height || column >= g_.input_width) return kHole;
  return (row * g_.input_width + column) * g_.channels + tap % g_.channels;
}

std::int64_t Trace::weight(std::int64_t tap, std::int64_t filter) const {
  if (tap < 0 || tap >= g_.taps || filter < 0 || filter >= g_.filters) return kNothing;
  return filter * g_.taps + tap;
}

std::int64_t Trace::output(std::int64_t position, std::int64_t filter) const {
  if (position < 0 || position >= g_.positions || filter < 0 || filter >= g_.filters) return kNothing;
  return position * g_.filters + filter;
}

std::vector<std::int64_t> Trace::ifmap_stream() const {
  const auto by_tap = [this](std::int64_t row, std::int64_t lane) { return input(lane, row); };
  const auto by_position = [this](std::int64_t row, std::int64_t lane) { return input(row, lane); };
  switch (m_.dataflow) {
    case Dataflow::output_stationary:
      return by_diagonals(stacked(m_.row_folds, g_.taps, m_.array.rows, by_tap));
    case Dataflow::weight_stationary:
      return by_diagonals(stacked(m_.row_folds, g_.positions, m_.array.rows, by_position));
    case Dataflow::input_stationary:
      break;
  }
  return by_rows(stacked(m_.column_folds, g_.taps, m_.array.columns, by_tap));
}

std::vector<std::int64_t> Trace::filter_stream() const {
  const auto by_tap = [this](std::int64_t row, std::int64_t lane) { return weight(row, lane); };
  const auto by_filter = [this](std::int64_t row, std::int64_t lane) { return weight(lane, row); };
  switch (m_.dataflow) {
    case Dataflow::output_stationary:
      return by_diagonals(stacked(m_.column_folds, g_.taps, m_.array.columns, by_tap));
    case Dataflow::weight_stationary:
      return by_rows(stacked(m_.column_folds, g_.taps, m_.array.columns, by_tap));
    case Dataflow::input_stationary:
      break;
  }
  return by_diagonals(stacked(m_.row_folds, g_.filters, m_.array.rows, by_filter));
}

Trace::Line Trace::line(std::int64_t fold, std::int64_t t) const {
  const std::int64_t rows = m_.array.rows, columns = m_.array.columns;
  const std::int64_t row0 = fold % m_.row_folds * rows, column0 = fold / m_.row_folds * columns;
  const auto lanes = [](std::int64_t count, const auto& at) {
    std::vector<std::int64_t> slots;
    for (std::int64_t lane = 0; lane < count; ++lane) slots.push_back(at(lane));
    return slots;
  };
  // A step outside of time asks for nothing, wherever it would lie in the operand.
  const auto within = [](std::int64_t step, std::int64_t steps, std::int64_t address) {
    return step >= 0 && step < steps ? address : kNothing;
  };
  switch (m_.dataflow) {
    case Dataflow::output_stationary:
      return {lanes(rows, [&](auto x) { return input(row0 + x, t - x); }),
              lanes(columns, [&](auto x) { return weight(t - x, column0 + x); }), lanes(columns, [&](auto x) {
                const std::int64_t up = t - x - (m_.steps - 1);
                return within(up, rows, output(row0 + rows - 1 - up, column0 + x));
              })};
    case Dataflow::weight_stationary:
      return {
          lanes(rows, [&](auto x) { return input(t - rows - x, row0 + x); }),
          lanes(columns, [&](auto x) { return within(t, rows, weight(row0 + rows - 1 - t, column0 + x)); }),
          lanes(columns, [&](auto x) { return output(t - x - (2 * rows - 1), column0 + x); })};
    case Dataflow::input_stationary:
      break;
  }
  return {lanes(columns, [&](auto x) { return within(t, rows, input(column0 + x, row0 + rows - 1 - t)); }),
          lanes(rows, [&](auto x) { return weight(row0 + x, t - rows - x); }),
          lanes(columns, [&](auto x) { return output(column0 + x, t - x - (2 * rows - 1)); })};
}

}  // namespace ergon::systolic::stepped
