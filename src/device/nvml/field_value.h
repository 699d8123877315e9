#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "device/nvml/gpu.h"

namespace ergon::device::nvml {

// Nothing for a type that is not known.
std::optional<double> number_in(const Value& value, ValueType type);

// A reading that NVML keeps under a number (namespace field), of the GPU as a whole. A number that this
// driver does not know is unsupported.
Result<double> field_value(const Gpu& gpu, unsigned field, std::string_view what);

}  // namespace ergon::device::nvml
