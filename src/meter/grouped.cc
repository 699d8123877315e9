#include "meter/grouped.h"

#include "base/sleep.h"

namespace ergon::meter {

GroupedMeasurement grouped(const std::vector<SpanReport>& reports, std::size_t selected,
                           const std::optional<std::vector<SpanReport>>& idle) {
  std::vector<DeviceMeasurement> of_selected, of_processors;
  GroupedMeasurement all;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    DeviceMeasurement source = corrected(reports[i]);
    if (idle) {
      const DeviceMeasurement before = corrected((*idle)[i]);
      if (i < selected) all.idle = all.idle.value_or(Watts{}) + before.mean;
      source = above_idle(source, before);
    }
    (i < selected ? of_selected : of_processors).push_back(std::move(source));
  }
  all.selected = combined(std::move(of_selected));
  if (!of_processors.empty()) all.processors = combined(std::move(of_processors));
  return all;
}

Result<std::vector<SpanReport>> reports_over(Meter& meter, Seconds duration, Clock& clock,
                                             const std::stop_token& stop) {
  Window window = meter.open();
  sleep_until(clock, clock.now() + duration, stop);
  return window.reports(stop);
}

}  // namespace ergon::meter
