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
  FieldValue asked_for{};
  asked_for.field = field;
  asked_for.scope = field::kScopeGpu;
  asked_for.status = Return::not_supported;  // what an answer without a word about this field means
  if (auto asked = gpu.ask(what, gpu.nvml().field_values, 1, &asked_for); !asked) return asked.error();
  if (asked_for.status == Return::invalid_argument) return gpu.error(what, Return::not_supported);
  if (asked_for.status != Return::success) return gpu.error(what, asked_for.status);
  const auto number = number_in(asked_for.value, asked_for.value_type);
  if (number) return *number;
  return fail(Errc::unsupported, "{} of {}: a value of an unknown type, {}", what, gpu.label(),
              static_cast<int>(asked_for.value_type));
}

}  // namespace ergon::device::nvml
