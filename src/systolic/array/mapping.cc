#include "systolic/array/mapping.h"

#include "graph/count.h"
#include "systolic/replay/repeated_sum.h"

namespace ergon::systolic {
namespace {

std::int64_t ceiling(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// The mean of value(rows used, columns used) over all folds, in their order.
template <typename Value>
double mean_over_folds(const Mapping& m, const Value& value) {
  double sum = 0;
  for (std::int64_t fold = 0; fold < m.column_folds; ++fold) {
    const std::int64_t columns = m.columns_used(fold);
    sum = add_repeatedly(sum, value(m.rows_used(0), columns), m.row_folds - 1);
    sum += value(m.rows_used(m.row_folds - 1), columns);
  }
  return sum / static_cast<double>(m.folds());
}

}  // namespace

Result<Mapping> map_layer(const Geometry& g, const Array& array, Dataflow dataflow) {
  Mapping m{.array = array, .dataflow = dataflow};
  switch (dataflow) {
    case Dataflow::output_stationary:
      m.rows = g.positions, m.columns = g.filters, m.steps = g.taps;
      break;
    case Dataflow::weight_stationary:
      m.rows = g.taps, m.columns = g.filters, m.steps = g.positions;
      break;
    case Dataflow::input_stationary:
      m.rows = g.taps, m.columns = g.positions, m.steps = g.filters;
      break;
  }
  m.row_folds = ceiling(m.rows, array.rows);
  m.column_folds = ceiling(m.columns, array.columns);
  m.lines_per_fold = m.steps + array.rows + array.columns - 2;
  if (dataflow != Dataflow::output_stationary) m.lines_per_fold += array.rows;

  using graph::Count;
  const Count lines = Count{m.row_folds} * m.column_folds * m.lines_per_fold;
  constexpr std::int64_t kLargest = std::int64_t{1} << 52;
  if (lines.overflowed() || lines.exact() > kLargest) {
    return fail(Errc::invalid_input, "the layer takes more than 2^52 cycles on a {} x {} array", array.rows,
                array.columns);
  }
  return m;
}

ScratchpadTraffic scratchpad_traffic(const Geometry& g, const Mapping& m) {
  ScratchpadTraffic words;
  switch (m.dataflow) {
    case Dataflow::output_stationary:
      words.ifmap_reads = g.positions * g.taps * m.column_folds;
      words.filter_reads = g.taps * g.filters * m.row_folds;
      words.ofmap_writes = g.positions * g.filters;
      break;
    case Dataflow::weight_stationary:
      words.ifmap_reads = g.positions * g.taps * m.column_folds;
      words.filter_reads = g.taps * g.filters;
      words.ofmap_writes = g.positions * g.filters * m.row_folds;
      break;
    case Dataflow::input_stationary:
      words.ifmap_reads = g.positions * g.taps;
      words.filter_reads = g.taps * g.filters * m.column_folds;
      words.ofmap_writes = g.positions * g.filters * m.row_folds;
      break;
  }
  return words;
}

double mapping_efficiency(const Mapping& m) {
  const auto units = static_cast<double>(m.array.units());
  return 100 * mean_over_folds(m, [&](std::int64_t rows, std::int64_t columns) {
           return static_cast<double>(rows * columns) / units;
         });
}

double compute_utilization(const Mapping& m, std::int64_t extra_lines) {
  const auto slots = static_cast<double>(m.array.units() * (m.lines_per_fold + extra_lines));
  return 100 * mean_over_folds(m, [&](std::int64_t rows, std::int64_t columns) {
           return static_cast<double>(rows * columns * m.steps) / slots;
         });
}

}  // namespace ergon::systolic
