#pragma once

#include "base/result.h"
#include "device/twin/specification.h"
#include "predict/prediction.h"

namespace ergon::predict {

// Checks of a prediction before it is reported: values are finite and positive, intervals contain them, power
// is at most the limit that the board holds, and energy is power times time. Errors: internal.
Result<> check_sanity(const Prediction& prediction, const device::Specification& gpu, Watts limit);

}  // namespace ergon::predict
