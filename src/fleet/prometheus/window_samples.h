#pragma once

#include <map>
#include <vector>

#include "fleet/prometheus/range_query.h"
#include "fleet/reading/sample_reader.h"

namespace ergon::fleet {

// Puts the metrics of a window, which come one by one, together into rows.
class WindowSamples {
 public:
  explicit WindowSamples(const StepRange& window) : window_(window) {}

  // Values outside the window belong to another and are left out.
  void add(Metric metric, const Matrix& matrix);

  // Whether anything was said of a metric.
  bool has(Metric metric) const { return said_[static_cast<std::size_t>(metric)]; }

  // A row for each GPU and moment of which anything is known, in the order of time. Where several series tell
  // the same, the one with the best known name counts, then the first. A metric that was said of no GPU is
  // not counted as missing, as a column that a file does not have. GPUs without a host are counted and left
  // out.
  std::vector<Sample> rows(Vocabulary& words, RowCounts& counts);

 private:
  struct Point {
    std::int64_t at_ms = 0;
    std::uint32_t gpu = 0;
    std::uint8_t metric = 0;
    std::uint8_t rank = 0;
    std::optional<double> value;

    auto row() const { return std::pair(at_ms, gpu); }
  };
  Sample row_of(std::size_t first, std::size_t end, Code gpu, RowCounts& counts) const;

  StepRange window_;
  std::map<LabelledGpu, std::uint32_t> gpus_;
  std::vector<Point> points_;
  PerMetric<bool> said_{};
};

}  // namespace ergon::fleet
