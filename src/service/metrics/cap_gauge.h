#pragma once

#include "service/jobs/jobs.h"
#include "service/metrics/cap_metrics.h"
#include "service/metrics/device_monitor.h"

namespace ergon::service {

// Metrics of a cap job with the identity of its device. A GPU has the identity of its readings, so that power
// and cap can be compared; a job's twin is named after its product.
CapReading cap_gauge(const HeldCap& held, const MonitorSnapshot& snapshot);

}  // namespace ergon::service
