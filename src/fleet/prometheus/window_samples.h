#pragma once

#include <map>
#include <set>
#include <vector>

#include "fleet/prometheus/range_query.h"
#include "fleet/reading/sample_reader.h"

namespace ergon::fleet {

// Combines the metrics of one window, which are queried one by one, into samples.
class WindowSamples {
 public:
  explicit WindowSamples(const StepRange& window) : window_(window) {}

  // Values outside the window belong to another one and are skipped.
  void add(Metric metric, const Matrix& matrix);
  // Series of kSimulatedName: rows of GPUs with a value of 1 in the window are counted as simulated.
  void add_simulated(const Matrix& matrix);

  // Whether any GPU has the metric.
  bool has(Metric metric) const { return present_[static_cast<std::size_t>(metric)]; }

  // One sample per GPU and time with at least one metric, in order of time. If several series provide the
  // same metric, the one with the preferred name counts, then the first. A metric that no GPU has is not
  // counted as missing, like an absent column of a file. GPUs without a host are counted and skipped.
  std::vector<Sample> rows(NameTables& names, RowCounts& counts);

  // The first value of a metric that is out of range, with its series: "ergon_gpu_power_watts of GPU-a on
  // node-7: power \"1e306\" is not 0 to 2000 W"; empty if there is none.
  const PerMetric<std::string>& out_of_range() const { return out_of_range_; }

 private:
  struct MetricValue {
    std::int64_t at_ms = 0;
    std::uint32_t gpu = 0;
    std::uint8_t metric = 0;
    std::uint8_t rank = 0;
    std::optional<double> value;

    auto row() const { return std::pair(at_ms, gpu); }
  };
  Sample row_of(std::size_t first, std::size_t end, Code gpu, RowCounts& counts) const;

  StepRange window_;
  std::map<LabeledGpu, std::uint32_t> gpus_;
  std::set<LabeledGpu> simulated_;
  std::vector<MetricValue> points_;
  PerMetric<bool> present_{};
  PerMetric<std::string> out_of_range_;
};

}  // namespace ergon::fleet
