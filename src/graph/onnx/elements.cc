#include "graph/onnx/elements.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace ergon::graph::onnx {
namespace {

// IEEE 754 binary16: a sign, five bits of exponent, ten of fraction.
double real_of_half(std::uint16_t half) {
  const double sign = (half & 0x8000U) != 0 ? -1.0 : 1.0;
  const int exponent = (half >> 10) & 0x1F;
  const int fraction = half & 0x3FF;
  if (exponent == 0x1F) return fraction == 0 ? sign * INFINITY : NAN;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

std::uint16_t half_of(double real) {
  const std::uint16_t sign = std::signbit(real) ? 0x8000 : 0;
  if (std::isnan(real)) return 0x7E00;
  const double size = std::abs(real);
  if (size >= 65520) return static_cast<std::uint16_t>(sign | 0x7C00U);
  int exponent = 0;
  std::frexp(size, &exponent);
  // In units in the last place; nearbyint rounds to even.
  const int unit_exponent = std::max(exponent - 11, -24);
  const auto units = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(size, -unit_exponent)));
  // A carry out of the fraction correctly increments the exponent.
  const std::uint32_t bits = static_cast<std::uint32_t>(unit_exponent + 24) * 1024 + units;
  return static_cast<std::uint16_t>(sign | bits);
}

double real_of_bfloat(std::uint16_t bits) {
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16));
}

std::uint16_t bfloat_of(double real) {
  if (std::isnan(real)) return 0x7FC0;
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(real));
  return static_cast<std::uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1U)) >> 16);
}

template <typename Stored, typename Wanted>
std::vector<Wanted> unpacked(const StoredTensor& tensor, Wanted (*convert)(Stored)) {
  std::vector<Wanted> numbers(tensor.bytes.size() / sizeof(Stored));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Stored element;
    std::memcpy(&element, tensor.bytes.data() + i * sizeof(Stored), sizeof(Stored));
    numbers[i] = convert(element);
  }
  return numbers;
}

template <typename Stored>
std::vector<std::int64_t> integers(const StoredTensor& tensor) {
  return unpacked<Stored, std::int64_t>(tensor,
                                        [](Stored number) { return static_cast<std::int64_t>(number); });
}

template <typename Stored, typename Given>
void pack(StoredTensor& tensor, const std::vector<Given>& numbers, Stored (*convert)(Given)) {
  tensor.bytes.resize(numbers.size() * sizeof(Stored));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Stored element = convert(numbers[i]);
    std::memcpy(tensor.bytes.data() + i * sizeof(Stored), &element, sizeof(Stored));
  }
}

}  // namespace

std::optional<std::size_t> width_of(ElementType type) {
  if (type == ElementType::int4 || type == ElementType::uint4 || type == ElementType::text)
    return std::nullopt;
  return static_cast<std::size_t>(bytes_of(1, type).exact());
}

std::int64_t elements_of(const std::vector<std::int64_t>& sizes) {
  std::int64_t elements = 1;
  for (const std::int64_t size : sizes) elements *= size;
  return elements;
}

std::optional<std::vector<std::int64_t>> integers_of(const StoredTensor& tensor) {
  switch (tensor.type) {
    case ElementType::int64:
      return integers<std::int64_t>(tensor);
    case ElementType::int32:
      return integers<std::int32_t>(tensor);
    case ElementType::int16:
      return integers<std::int16_t>(tensor);
    case ElementType::int8:
      return integers<std::int8_t>(tensor);
    case ElementType::uint64:
      return integers<std::uint64_t>(tensor);
    case ElementType::uint32:
      return integers<std::uint32_t>(tensor);
    case ElementType::uint16:
      return integers<std::uint16_t>(tensor);
    case ElementType::uint8:
      return integers<std::uint8_t>(tensor);
    case ElementType::boolean:
      return unpacked<std::uint8_t, std::int64_t>(
          tensor, [](std::uint8_t truth) { return static_cast<std::int64_t>(truth != 0); });
    default:
      return std::nullopt;
  }
}

std::optional<std::vector<double>> reals_of(const StoredTensor& tensor) {
  switch (tensor.type) {
    case ElementType::float64:
      return unpacked<double, double>(tensor, [](double number) { return number; });
    case ElementType::float32:
      return unpacked<float, double>(tensor, [](float number) { return static_cast<double>(number); });
    case ElementType::float16:
      return unpacked<std::uint16_t, double>(tensor, real_of_half);
    case ElementType::bfloat16:
      return unpacked<std::uint16_t, double>(tensor, real_of_bfloat);
    default:
      return std::nullopt;
  }
}

std::optional<StoredTensor> stored_integers(ElementType type, const std::vector<std::int64_t>& sizes,
                                            const std::vector<std::int64_t>& numbers) {
  const auto width = width_of(type);
  if (!width || is_floating(type) || static_cast<std::int64_t>(numbers.size()) != elements_of(sizes))
    return std::nullopt;
  StoredTensor tensor{type, sizes, std::vector<std::byte>(numbers.size() * *width)};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::int64_t number = type == ElementType::boolean ? (numbers[i] != 0 ? 1 : 0) : numbers[i];
    std::memcpy(tensor.bytes.data() + i * *width, &number, *width);
  }
  return tensor;
}

std::optional<StoredTensor> stored_reals(ElementType type, const std::vector<std::int64_t>& sizes,
                                         const std::vector<double>& numbers) {
  if (static_cast<std::int64_t>(numbers.size()) != elements_of(sizes)) return std::nullopt;
  StoredTensor tensor{type, sizes, {}};
  switch (type) {
    case ElementType::float64:
      pack<double, double>(tensor, numbers, [](double number) { return number; });
      return tensor;
    case ElementType::float32:
      pack<float, double>(tensor, numbers, [](double number) { return static_cast<float>(number); });
      return tensor;
    case ElementType::float16:
      pack<std::uint16_t, double>(tensor, numbers, half_of);
      return tensor;
    case ElementType::bfloat16:
      pack<std::uint16_t, double>(tensor, numbers, bfloat_of);
      return tensor;
    default:
      return std::nullopt;
  }
}

}  // namespace ergon::graph::onnx
