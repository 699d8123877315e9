#pragma once

#include <optional>
#include <string>

#include "meter/measurement.h"
#include "report/table_style.h"

namespace ergon::report {

// A measurement as text. `processors`: energy of CPUs and their memory, if it was measured in addition.
std::string measurement_text(const meter::Measurement& measurement,
                             const std::optional<meter::Measurement>& processors, std::optional<Watts> idle,
                             const TableStyle& style);

}  // namespace ergon::report
