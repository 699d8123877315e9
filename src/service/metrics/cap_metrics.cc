#include "service/metrics/cap_metrics.h"

#include "service/metrics/gpu_metrics.h"

namespace ergon::service {

void add_cap(Exposition& page, const CapReading& reading, std::string_view host) {
  const Labels labels = device_labels(reading.uuid, reading.name, host);
  page.add(metrics::kCap, labels, std::optional(reading.cap));
  page.add(metrics::kCapPower, labels, reading.power);
  page.add(metrics::kCapClock, labels, reading.clock);
  page.add(metrics::kCapBatch, labels, static_cast<double>(reading.batch));
  page.add(metrics::kCapThroughput, labels, reading.samples_per_second);
  page.add(metrics::kCapDecisions, labels, static_cast<double>(reading.decisions));
  page.add(metrics::kCapViolations, labels, static_cast<double>(reading.violations));
}

}  // namespace ergon::service
