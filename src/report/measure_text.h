#pragma once

#include <string>

#include "meter/grouped.h"
#include "report/table_style.h"

namespace ergon::report {

// A measurement as text: energy in total and, if idle power was measured, idle energy and the energy above
// it.
std::string measurement_text(const meter::GroupedMeasurement& measurement, const TableStyle& style);

}  // namespace ergon::report
