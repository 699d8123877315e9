#include "profile/torch/stored_tensor.h"

#include <ATen/ops/empty.h>
#include <cstring>

namespace ergon::profile::torch {
namespace {

using graph::ElementType;

// 4-bit elements, the first in the low half of a byte.
at::Tensor unpacked(const graph::StoredTensor& stored) {
  const bool is_signed = stored.type == ElementType::int4;
  at::Tensor tensor = at::empty(stored.sizes, is_signed ? at::kChar : at::kByte);
  auto* to = static_cast<std::uint8_t*>(tensor.data_ptr());
  for (std::int64_t i = 0; i < tensor.numel(); ++i) {
    const auto byte = std::to_integer<std::uint8_t>(stored.bytes[static_cast<std::size_t>(i / 2)]);
    const auto half = static_cast<std::uint8_t>(i % 2 == 0 ? byte & 15 : byte >> 4);
    to[i] = is_signed && half > 7 ? static_cast<std::uint8_t>(half | 0xf0) : half;
  }
  return tensor;
}

// Unsigned types that ATen lacks, converted to the next larger type.
template <typename From>
at::Tensor widened(const graph::StoredTensor& stored) {
  at::Tensor tensor = at::empty(stored.sizes, at::kLong);
  auto* to = static_cast<std::int64_t*>(tensor.data_ptr());
  for (std::int64_t i = 0; i < tensor.numel(); ++i) {
    From number;
    std::memcpy(&number, stored.bytes.data() + static_cast<std::size_t>(i) * sizeof(From), sizeof(From));
    to[i] = static_cast<std::int64_t>(number);
  }
  return tensor;
}

}  // namespace

std::optional<at::ScalarType> scalar_type_of(ElementType type) {
  switch (type) {
    case ElementType::float64:
      return at::kDouble;
    case ElementType::float32:
      return at::kFloat;
    case ElementType::float16:
      return at::kHalf;
    case ElementType::bfloat16:
      return at::kBFloat16;
    case ElementType::int64:
    case ElementType::uint64:
    case ElementType::uint32:
    case ElementType::uint16:
      return at::kLong;
    case ElementType::int32:
      return at::kInt;
    case ElementType::int16:
      return at::kShort;
    case ElementType::int8:
    case ElementType::int4:
      return at::kChar;
    case ElementType::uint8:
    case ElementType::uint4:
      return at::kByte;
    case ElementType::boolean:
      return at::kBool;
    case ElementType::float8:
    case ElementType::text:
      return std::nullopt;
  }
  return std::nullopt;
}

Result<at::Tensor> to_tensor(const graph::StoredTensor& stored) {
  const auto type = scalar_type_of(stored.type);
  if (!type)
    return fail(Errc::unsupported, "constants of type {} are not supported", graph::name_of(stored.type));
  std::int64_t elements = 1;
  for (const std::int64_t size : stored.sizes) elements *= size;
  const auto bytes = graph::bytes_of(elements, stored.type).value();
  if (!bytes || static_cast<std::size_t>(*bytes) != stored.bytes.size()) {
    return fail(Errc::invalid_input, "a constant of {} elements has {} bytes", elements, stored.bytes.size());
  }
  switch (stored.type) {
    case ElementType::int4:
    case ElementType::uint4:
      return unpacked(stored);
    case ElementType::uint16:
      return widened<std::uint16_t>(stored);
    case ElementType::uint32:
      return widened<std::uint32_t>(stored);
    case ElementType::uint64:
      return widened<std::uint64_t>(stored);
    default:
      break;
  }
  at::Tensor tensor = at::empty(stored.sizes, *type);
  if (!stored.bytes.empty()) std::memcpy(tensor.data_ptr(), stored.bytes.data(), stored.bytes.size());
  return tensor;
}

std::shared_ptr<const graph::StoredTensor> to_stored(const at::Tensor& tensor) {
  const at::Tensor dense = tensor.to(at::kFloat).contiguous();
  auto stored = std::make_shared<graph::StoredTensor>();
  stored->sizes.assign(dense.sizes().begin(), dense.sizes().end());
  stored->bytes.resize(static_cast<std::size_t>(dense.numel()) * sizeof(float));
  if (!stored->bytes.empty()) std::memcpy(stored->bytes.data(), dense.data_ptr(), stored->bytes.size());
  return stored;
}

std::vector<double> numbers_in(const graph::StoredTensor& stored) {
  const auto tensor = to_tensor(stored);
  if (!tensor) return {};
  const at::Tensor numbers = tensor->to(at::kDouble).contiguous();
  const auto* first = static_cast<const double*>(numbers.data_ptr());
  return {first, first + numbers.numel()};
}

std::vector<std::int64_t> integers_in(const graph::StoredTensor& stored) {
  const auto tensor = to_tensor(stored);
  if (!tensor) return {};
  const at::Tensor numbers = tensor->to(at::kLong).contiguous();
  const auto* first = static_cast<const std::int64_t*>(numbers.data_ptr());
  return {first, first + numbers.numel()};
}

}  // namespace ergon::profile::torch
