#pragma once

#include <vector>

#include "meter/measurement.h"

namespace ergon::meter {

// Why the measurement of a device is not valid; empty: it is valid.
std::vector<Reason> reasons_against(const DeviceMeasurement& source);

// Remarks that do not affect validity.
std::vector<Reason> notes_on(const DeviceMeasurement& source);

}  // namespace ergon::meter
