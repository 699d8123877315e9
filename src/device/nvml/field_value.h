#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "device/nvml/gpu.h"

namespace ergon::device::nvml {

// Absent for an unknown type.
std::optional<double> number_in(const Value& value, ValueType type);

// An NVML field value (ids in namespace field) with scope GPU. Errors: unsupported for an id that this driver
// does not know.
Result<double> field_value(const Gpu& gpu, unsigned field, std::string_view what);

}  // namespace ergon::device::nvml
