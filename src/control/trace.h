#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/result.h"
#include "control/surface.h"

namespace ergon::control {

struct TraceCell {
  Point point;
  Seconds time;       // of one batch
  Watts power;        // the table's maximum where one can be trusted, otherwise its mean
  double weight = 1;  // how often it was measured
};

// What somebody measured of a network at several batches, and maybe clocks.
struct Trace {
  std::string network;
  std::string source;  // where it was read
  std::vector<TraceCell> cells;

  // The batches and clocks that occur; no clocks where the table has none to choose.
  Knobs knobs() const;
};

// Tables come in one of three layouts, told apart by their headers.
//
// Cells of batch and clock (approach, dnn, dataset, core_clock_MHz, batch_size, n, throughput_img_per_s,
// max_power_W): a network is named "dnn/dataset", and all approaches count. The clock "auto" is 1531 MHz, the
// highest of the P40 that the table is about: left alone, it boosts that far. No batch was measured both
// ways, but the largest batches of both agree (ResNetV2_152/ImageNet: 197.7 W and 62.7 images/s at batch 61,
// 203.0 W and 66.2 images/s at batch 255 and 1531 MHz).
//
// Networks (model, size, batch, mode, dtype, iters, samples_per_s, p_mean_instant_w, ...): a network is named
// by its model, and there is no clock to choose. Power is the mean: p_max_instant_w is the highest of some
// 150 readings with all their noise, and stands up to 87 W above the limit that the board holds.
//
// Fixed batches (network, precision, batch, throughput_samples_per_second, mean_power_watts): what
// bench_cap_gpu writes; no clock either.

// The networks of a table in its order, also those with too few rows for a trace.
Result<std::vector<std::string>> trace_networks(const std::string& path);

// Rows of the same batch and clock are joined, weighted by how often each was measured. Cells ascend by
// batch, then by clock. Errors: none of the layouts; no such network; in its rows, what is not a number above
// 0; rows that differ in more than batch and clock; fewer than three batches.
Result<Trace> read_trace(const std::string& path, const std::string& network);

// A trace as a surface: what was measured where something was measured, and what follows from it in between.
// Times and powers are above 0 and finite. The top of trace.cc says how.
class TraceSurface final : public Surface {
 public:
  // Contract: at least one cell, no two at the same point, all with a clock or none, all amounts above 0.
  explicit TraceSurface(Trace trace);

  // Contract: the batch is from the least to the most measured. Clocks beyond the measured ones continue the
  // trend.
  Expectation at(const Point& point) const override;

  const Trace& trace() const { return trace_; }

 private:
  // Of the trend: its level, two of the batch, one of the clock.
  using Terms = std::array<double, 4>;
  struct Range {
    double least = 0, most = 0;
    double share(double value) const { return most > least ? (value - least) / (most - least) : 0; }
  };
  // Logarithms, 0 at the least that was measured and 1 at the most.
  struct Place {
    double batch = 0, clock = 0;
    Terms terms() const { return {1, batch * batch, 1 - (1 - batch) * (1 - batch), clock}; }
  };
  // Of one quantity's logarithm, and what each cell has beyond it.
  struct Trend {
    Terms coefficients{};
    std::vector<double> beyond;
  };

  bool clocked() const { return trace_.cells.front().point.clock.has_value(); }
  Place place_of(const Point& point) const;
  Trend fit(const std::vector<double>& values, const std::array<Range, 4>& allowed) const;
  double value_of(const Trend& trend, const Point& point) const;

  Trace trace_;
  Range batches_, clocks_;     // logarithms
  Watts floor_;                // that power stays above
  std::vector<Place> places_;  // of the cells
  std::vector<double> trust_;  // in the cells, below 1
  Trend time_of_sample_, power_above_floor_;
};

}  // namespace ergon::control
