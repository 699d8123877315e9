#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/result.h"
#include "control/surfaces/surface.h"

namespace ergon::control {

struct TraceCell {
  Point point;
  Seconds time;       // of one batch
  Watts power;        // maximum if the table has a reliable one, otherwise the mean
  double weight = 1;  // number of measurements
};

// Measurements of one network at several batches and, in some tables, clocks.
struct BatchTrace {
  std::string network;
  std::string source;  // path of the table
  std::vector<TraceCell> cells;

  // Batches and clocks in the table; no clocks if it has none.
  Knobs knobs() const;
};

// Three table layouts are supported, distinguished by their headers.
//
// Cells of batch and clock (approach, dnn, dataset, core_clock_MHz, batch_size, n, throughput_img_per_s,
// max_power_W): a network is named "dnn/dataset"; all approaches are used. The clock "auto" is read as 1531
// MHz, the maximum of the P40 in the table, to which it boosts by default. No batch was measured both ways,
// but the largest batches of both agree (ResNetV2_152/ImageNet: 197.7 W and 62.7 images/s at batch 61, 203.0
// W and 66.2 images/s at batch 255 and 1531 MHz).
//
// Networks (model, size, batch, mode, dtype, iters, samples_per_s, p_mean_instant_w, ...): a network is named
// by its model; there are no clocks. Power is the mean: p_max_instant_w is the noisy maximum of about 150
// readings and is up to 87 W above the enforced power limit of the board.
//
// Fixed batches (network, precision, batch, throughput_samples_per_second, mean_power_watts): what
// bench_cap_gpu writes; there are no clocks.

// Networks of a table in file order, including those with too few rows for a trace.
Result<std::vector<std::string>> trace_networks(const std::string& path);

// Rows of the same batch and clock are averaged, weighted by their number of measurements. Cells ascend by
// batch, then by clock. The network name ignores case. Errors: unknown layout; unknown network
// (unknown_name); a value that is not a positive number; rows that differ in more than batch and clock; fewer
// than three batches.
Result<BatchTrace> read_trace(const std::string& path, const std::string& network);

// Interpolates a trace. Exact at measured points. Times and powers are positive and finite. The method is
// described at the top of trace.cc.
class TraceSurface final : public Surface {
 public:
  // Contract: at least one cell; distinct points; all cells have a clock or none has; all values above 0.
  explicit TraceSurface(BatchTrace trace);

  // Contract: the batch is within the measured range. Clocks outside the measured range extrapolate the
  // trend.
  Expectation at(const Point& point) const override;

  const BatchTrace& trace() const { return trace_; }

 private:
  // Terms of the trend: constant, two in the batch, one in the clock.
  using Terms = std::array<double, 4>;
  struct Range {
    double min = 0, max = 0;
    double share(double value) const { return max > min ? (value - min) / (max - min) : 0; }
  };
  // Logarithms scaled to 0 at the measured minimum and 1 at the measured maximum.
  struct Coordinates {
    double batch = 0, clock = 0;
    Terms terms() const { return {1, batch * batch, 1 - (1 - batch) * (1 - batch), clock}; }
  };
  // Trend of the logarithm of one quantity, and the residual of each cell.
  struct Trend {
    Terms coefficients{};
    std::vector<double> residuals;
  };

  bool clocked() const { return trace_.cells.front().point.clock.has_value(); }
  Coordinates coordinates_of(const Point& point) const;
  Trend fit(const std::vector<double>& values, const std::array<Range, 4>& allowed) const;
  double value_of(const Trend& trend, const Point& point) const;

  BatchTrace trace_;
  Range batches_, clocks_;                // logarithms
  Watts floor_;                           // lower bound of power
  std::vector<Coordinates> coordinates_;  // of the cells
  std::vector<double> weights_;           // of the cells, below 1
  Trend time_per_sample_, power_above_floor_;
};

}  // namespace ergon::control
