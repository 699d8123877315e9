#include "fleet/prometheus/prometheus_source.h"

#include <fmt/format.h>

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
  batch.samples.push_back(samples.rows(names_, batch.sample_counts));
  ++position_;
  return {};
}

void PrometheusSource::rewind() {
  position_ = 0;
  power_known_ = false;
}

std::vector<std::string> PrometheusSource::warnings() const {
  std::vector<std::string> all;
  for (const std::string& warning : warnings_) all.push_back("Prometheus warning: " + warning);
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
