#pragma once

#include <functional>
#include <set>
#include <string>

#include "fleet/prometheus/step_range.h"
#include "fleet/reading/source.h"

namespace ergon::fleet {

// Asks a Prometheus for a path below its address. Waits; says cancelled when somebody wants to stop.
using Fetch = std::function<Result<std::string>(const std::string& path_and_query)>;

// What the GPUs of a fleet showed, from a running Prometheus or whatever speaks its language: the metrics of
// metric_names.h, by range queries. Memory holds one window of time.
//
// A step shows the last value before it, up to five minutes old: a GPU whose exporter vanished without a word
// seems to live that much longer, and a change is seen up to a scrape late.
class PrometheusSource : public Source {
 public:
  PrometheusSource(Fetch fetch, const StepRange& range, Vocabulary& words);

  bool done() const override { return position_ == windows_.count(); }
  Timestamp reached() const override;
  // Reads a window. Errors: those of asking, answers that are none, and after the last window that nothing
  // was known of any GPU's power (not_found). Nothing is read where it fails.
  Result<> read(Batch& batch) override;
  void rewind() override;
  bool seems_ordered(Seconds) const override { return true; }
  std::size_t size() const override { return static_cast<std::size_t>(windows_.count()); }
  std::size_t position() const override { return static_cast<std::size_t>(position_); }
  std::string_view task_name(std::uint64_t) const override { return {}; }
  // The server's own warnings.
  std::vector<std::string> remarks() const override;

 private:
  Error no_power() const;

  Fetch fetch_;
  StepRange range_;
  StepWindows windows_;
  Vocabulary& words_;
  std::int64_t position_ = 0;  // in windows
  bool power_known_ = false;
  std::set<std::string> warnings_;
};

}  // namespace ergon::fleet
