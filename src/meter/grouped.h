#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <vector>

#include "base/clock.h"
#include "meter/meter.h"

namespace ergon::meter {

// A measurement of the selected devices and, beside it, of the processors.
struct GroupedMeasurement {
  Measurement selected;
  std::optional<Measurement> processors;
  std::optional<Watts> idle;  // power of the selected devices that was subtracted
};

// `reports`: one window, first the `selected` devices, then the processors. `idle`: a window of the same
// devices without work, whose power is subtracted; absent: nothing is.
GroupedMeasurement grouped(const std::vector<SpanReport>& reports, std::size_t selected,
                           const std::optional<std::vector<SpanReport>>& idle);

// Measures from now on for `duration`; shorter after a stop request. Errors: those of Window::reports().
Result<std::vector<SpanReport>> reports_over(Meter& meter, Seconds duration, Clock& clock,
                                             const std::stop_token& stop);

}  // namespace ergon::meter
