#pragma once

#include <optional>
#include <string>

#include "meter/measurement.h"
#include "report/table_style.h"

namespace ergon::app {

// A measurement for people. `processors` is what the CPUs and their memories drew meanwhile, if that is known
// and not the measurement itself.
std::string measurement_text(const meter::Measurement& measurement,
                             const std::optional<meter::Measurement>& processors, std::optional<Watts> idle,
                             const report::TableStyle& style);

}  // namespace ergon::app
