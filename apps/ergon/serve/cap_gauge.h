#pragma once

#include "service/jobs/jobs.h"
#include "service/metrics/cap_metrics.h"
#include "service/metrics/watch.h"

namespace ergon::app {

// A cap that a job holds, under the identity of the device it drives: a GPU's is that of its readings, so
// that power and cap can be laid over each other; a twin of a job's own is named after its product.
service::CapReading cap_gauge(const service::HeldCap& held, const service::WatchSnapshot& watched);

}  // namespace ergon::app
