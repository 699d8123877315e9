#pragma once

#include <ergon/measure.h>

#include "meter/measurement.h"

namespace ergon {

// A measurement as the meter made it.
struct MeasurementDetails {
  meter::Measurement measured;
};

}  // namespace ergon
