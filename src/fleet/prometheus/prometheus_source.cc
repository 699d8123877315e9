#include "fleet/prometheus/prometheus_source.h"

#include <fmt/format.h>

#include "base/text.h"
#include "fleet/prometheus/metric_names.h"
#include "fleet/prometheus/range_query.h"
#include "fleet/prometheus/window_samples.h"

namespace ergon::fleet {
namespace {

constexpr std::size_t kMaxWarnings = 5;

}  // namespace

PrometheusSource::PrometheusSource(Fetch fetch, const StepRange& range, NameTables& names)
    : fetch_(std::move(fetch)), range_(range), windows_(range), names_(names) {}

Timestamp PrometheusSource::reached() const {
  return at_ms(done() ? range_.last_ms + range_.step_ms : windows_[position_].first_ms);
}

Result<> PrometheusSource::read(RowBatch& batch) {
  ERGON_EXPECTS(!done());
  const StepRange window = windows_[position_];
  WindowSamples samples(window);
  for (const Metric metric : kAllMetrics) {
    const auto text = fetch_(range_query_path(series_of(metric), window));
    if (!text) return text.error();
    const auto matrix = parse_matrix(*text);
    if (!matrix) return matrix.error();
    samples.add(metric, *matrix);
    for (const std::string& warning : matrix->warnings) {
      if (warnings_.size() < kMaxWarnings) warnings_.insert(warning);
    }
  }
  const auto marks = fetch_(range_query_path(kSimulatedName, window));
  if (!marks) return marks.error();
  const auto simulated = parse_matrix(*marks);
  if (!simulated) return simulated.error();
  samples.add_simulated(*simulated);
  power_known_ = power_known_ || samples.has(Metric::power);
  if (!power_known_ && position_ + 1 == windows_.count()) return no_power();
  RowCounts counts;
  std::vector<Sample> rows = samples.rows(names_, counts);
  counts_ += counts;
  for (const Metric metric : kAllMetrics) {
    const auto m = static_cast<std::size_t>(metric);
    if (out_of_range_[m].empty()) out_of_range_[m] = samples.out_of_range()[m];
    if (position_ + 1 == windows_.count() && mostly_out_of_range(metric, counts_))
      return fail(Errc::invalid_input, "Prometheus: {}; {} in total", out_of_range_[m],
                  counted(counts_.out_of_range[m], "such value"));
  }
  batch.samples.push_back(std::move(rows));
  batch.sample_counts += counts;
  ++position_;
  return {};
}

void PrometheusSource::rewind() {
  position_ = 0;
  counts_ = {};
  power_known_ = false;
}

std::vector<std::string> PrometheusSource::warnings() const {
  std::vector<std::string> all;
  for (const std::string& warning : warnings_) all.push_back("Prometheus warning: " + warning);
  for (std::size_t m = 0; m < kMetrics; ++m) {
    const std::uint64_t count = counts_.out_of_range[m];
    if (count > 0)
      all.push_back(fmt::format("Prometheus: {}; {} not used", out_of_range_[m],
                                count == 1 ? "it is" : fmt::format("{} such values are", count)));
  }
  return all;
}

Error PrometheusSource::no_power() const {
  std::string names;
  for (const KnownName& each : known_names(Metric::power)) names += fmt::format(" {},", each.name);
  names.pop_back();
  return fail(Errc::not_found, "Prometheus has no GPU power from {} to {}; metrics queried:{}",
              to_text(at_ms(range_.first_ms)), to_text(at_ms(range_.last_ms)), names);
}

}  // namespace ergon::fleet
