#include "meter/grouped.h"

#include <algorithm>
#include <span>

#include "base/sleep.h"

namespace ergon::meter {

namespace {

AboveIdle above_idle_of(const std::vector<DeviceMeasurement>& work,
                        const std::vector<DeviceMeasurement>& idle, const Measurement& total) {
  std::vector<DeviceMeasurement> net;
  for (std::size_t i = 0; i < work.size(); ++i) net.push_back(above_idle(work[i], idle[i]));
  const Measurement before = combined(idle);
  const double ratio = (total.duration / before.duration).si();
  AboveIdle above{.net = combined(std::move(net)),
                  .idle = before.energy * ratio,
                  .uncertainty = before.uncertainty * ratio,
                  .idle_power = before.energy / before.duration,
                  .idle_deviation = before.uncertainty / before.duration,
                  .idle_window = before.duration,
                  .idle_reasons = before.reasons};
  // Validity is that of both readings; shares of a difference near 0 would say nothing about them.
  above.net.reasons = total.reasons;
  for (const Reason& reason : before.reasons)
    above.net.reasons.push_back({"idle_" + reason.code, "before the command: " + reason.text});
  above.net.notes = total.notes;
  return above;
}

DeviceGroup group_of(std::span<const SpanReport> reports, std::span<const SpanReport> idle) {
  std::vector<DeviceMeasurement> work, before;
  for (const SpanReport& report : reports) work.push_back(corrected(report));
  for (const SpanReport& report : idle) before.push_back(corrected(report));
  DeviceGroup group{combined(work), {}};
  if (!before.empty()) group.above_idle = above_idle_of(work, before, group.total);
  return group;
}

}  // namespace

GroupedMeasurement grouped(const std::vector<SpanReport>& reports, std::size_t selected,
                           const std::optional<std::vector<SpanReport>>& idle) {
  const std::span<const SpanReport> all(reports);
  const std::span<const SpanReport> before = idle ? std::span(*idle) : std::span<const SpanReport>();
  const std::size_t split = std::min(selected, before.size());
  GroupedMeasurement grouped{group_of(all.first(selected), before.first(split)), {}};
  if (selected < all.size()) grouped.processors = group_of(all.subspan(selected), before.subspan(split));
  return grouped;
}

Result<std::vector<SpanReport>> reports_over(Meter& meter, Seconds duration, Clock& clock,
                                             const std::stop_token& stop) {
  Window window = meter.open();
  sleep_until(clock, clock.now() + duration, stop);
  return window.reports(stop);
}

}  // namespace ergon::meter
