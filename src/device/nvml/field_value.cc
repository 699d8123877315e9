#include "device/nvml/field_value.h"

namespace ergon::device::nvml {

std::optional<double> number_in(const Value& value, ValueType type) {
  switch (type) {
    case ValueType::float64:
      return value.float64;
    case ValueType::uint32:
      return value.uint32;
    case ValueType::unsigned_long:
      return static_cast<double>(value.unsigned_long);
    case ValueType::uint64:
      return static_cast<double>(value.uint64);
    case ValueType::int64:
      return static_cast<double>(value.int64);
    case ValueType::int32:
      return value.int32;
    case ValueType::uint16:
      return value.uint16;
  }
  return std::nullopt;
}

Result<double> field_value(const Gpu& gpu, unsigned field, std::string_view what) {
  FieldValue request{};
  request.field = field;
  request.scope = field::kScopeGpu;
  request.status = Return::not_supported;  // if the driver leaves the status unset
  if (auto called = gpu.call(what, gpu.nvml().field_values, 1, &request); !called) return called.error();
  if (request.status == Return::invalid_argument) return gpu.error(what, Return::not_supported);
  if (request.status != Return::success) return gpu.error(what, request.status);
  const auto number = number_in(request.value, request.value_type);
  if (number) return *number;
  return fail(Errc::unsupported, "{} of {}: unknown value type {}", what, gpu.label(),
              static_cast<int>(request.value_type));
}

}  // namespace ergon::device::nvml
