#pragma once

#include <algorithm>
#include <cstdint>

#include "systolic/array/array.h"
#include "systolic/array/geometry.h"

namespace ergon::systolic {

// Division of a layer into folds, each as large as the array, and the lines (cycles without stalls) of a
// fold. Folds run column by column: fold = column_fold * row_folds + row_fold.
//
//             rows of the array    columns    time
//   os        positions               filters    taps
//   ws        taps                 filters    positions
//   is        taps                 positions     filters
struct Mapping {
  Array array;
  Dataflow dataflow = Dataflow::output_stationary;
  std::int64_t rows = 0, columns = 0, steps = 0;  // extents along array rows, array columns and time
  std::int64_t row_folds = 0, column_folds = 0;
  std::int64_t lines_per_fold = 0;

  std::int64_t folds() const { return row_folds * column_folds; }
  std::int64_t lines() const { return folds() * lines_per_fold; }
  std::int64_t rows_used(std::int64_t row_fold) const {
    return std::min(array.rows, rows - row_fold * array.rows);
  }
  std::int64_t columns_used(std::int64_t column_fold) const {
    return std::min(array.columns, columns - column_fold * array.columns);
  }
};

// Fails if the number of lines exceeds the exact range of cycle counts.
Result<Mapping> map_layer(const Geometry& geometry, const Array& array, Dataflow dataflow);

// Words transferred between scratchpads and array.
struct ScratchpadTraffic {
  std::int64_t ifmap_reads = 0, filter_reads = 0, ofmap_writes = 0;
};

ScratchpadTraffic scratchpad_traffic(const Geometry& geometry, const Mapping& mapping);

// Mean over folds in percent, summed fold by fold as in SCALE-Sim, so that the last digit agrees.
// `extra_lines` lengthens the fold in the denominator: SCALE-Sim counts columns - 1 too many unless the
// outputs are stationary.
double mapping_efficiency(const Mapping& mapping);
double compute_utilization(const Mapping& mapping, std::int64_t extra_lines);

}  // namespace ergon::systolic
