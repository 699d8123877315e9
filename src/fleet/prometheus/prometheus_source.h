#pragma once

#include <functional>
#include <set>
#include <string>

#include "fleet/prometheus/step_range.h"
#include "fleet/reading/source.h"

namespace ergon::fleet {

// Sends a GET request for a path below the address of the server and returns the body. Blocks; returns
// Errc::cancelled on a stop request.
using Fetch = std::function<Result<std::string>(const std::string& path_and_query)>;

// GPU telemetry from a Prometheus-compatible server: the metrics of metric_names.h, by range queries. Memory
// holds one window of time.
//
// A range query returns for each step the last value before it, up to five minutes old (Prometheus' staleness
// period). If an exporter disappears, its GPUs therefore remain for up to five minutes, and a change is seen
// up to one scrape interval late.
class PrometheusSource : public TelemetrySource {
 public:
  PrometheusSource(Fetch fetch, const StepRange& range, NameTables& names);

  bool done() const override { return position_ == windows_.count(); }
  Timestamp reached() const override;
  // Reads one window. Errors: of the request; an invalid response; after the last window, that no GPU has
  // power (not_found). On an error, nothing is added to the batch.
  Result<> read(RowBatch& batch) override;
  void rewind() override;
  bool seems_ordered(Seconds) const override { return true; }
  std::size_t size() const override { return static_cast<std::size_t>(windows_.count()); }
  std::size_t position() const override { return static_cast<std::size_t>(position_); }
  std::string_view task_name(std::uint64_t) const override { return {}; }
  // Warnings of the server.
  std::vector<std::string> warnings() const override;

 private:
  Error no_power() const;

  Fetch fetch_;
  StepRange range_;
  StepWindows windows_;
  NameTables& names_;
  std::int64_t position_ = 0;  // in windows
  bool power_known_ = false;
  std::set<std::string> warnings_;
  RowCounts counts_;
  PerMetric<std::string> out_of_range_;  // the first value of each metric
};

}  // namespace ergon::fleet
