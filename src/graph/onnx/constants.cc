#include "graph/onnx/constants.h"

#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "graph/onnx/element_types.h"

namespace ergon::graph::onnx {
namespace {

static_assert(std::endian::native == std::endian::little, "ONNX stores raw data in little-endian order");

constexpr std::int64_t kSmall = 4096;

template <typename Stored, typename Wanted>
std::optional<std::vector<Wanted>> from_raw(const std::string& raw, std::int64_t count) {
  if (raw.size() != static_cast<std::size_t>(count) * sizeof(Stored)) return std::nullopt;
  std::vector<Wanted> values;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    Stored value;
    std::memcpy(&value, raw.data() + i * sizeof(Stored), sizeof(Stored));
    values.push_back(static_cast<Wanted>(value));
  }
  return values;
}

template <typename Wanted, typename Field>
std::optional<std::vector<Wanted>> from_field(const Field& field, std::int64_t count) {
  if (field.size() != count) return std::nullopt;
  return std::vector<Wanted>(field.begin(), field.end());
}

std::optional<std::vector<std::int64_t>> integers_of(const ::onnx::TensorProto& tensor, std::int64_t count) {
  switch (tensor.data_type()) {
    case ::onnx::TensorProto::INT64:
      if (tensor.has_raw_data()) return from_raw<std::int64_t, std::int64_t>(tensor.raw_data(), count);
      return from_field<std::int64_t>(tensor.int64_data(), count);
    case ::onnx::TensorProto::INT32:
      if (tensor.has_raw_data()) return from_raw<std::int32_t, std::int64_t>(tensor.raw_data(), count);
      return from_field<std::int64_t>(tensor.int32_data(), count);
    case ::onnx::TensorProto::BOOL:
      if (tensor.has_raw_data()) return from_raw<std::uint8_t, std::int64_t>(tensor.raw_data(), count);
      return from_field<std::int64_t>(tensor.int32_data(), count);
    default:
      return std::nullopt;
  }
}

std::optional<std::vector<double>> reals_of(const ::onnx::TensorProto& tensor, std::int64_t count) {
  switch (tensor.data_type()) {
    case ::onnx::TensorProto::FLOAT:
      if (tensor.has_raw_data()) return from_raw<float, double>(tensor.raw_data(), count);
      return from_field<double>(tensor.float_data(), count);
    case ::onnx::TensorProto::DOUBLE:
      if (tensor.has_raw_data()) return from_raw<double, double>(tensor.raw_data(), count);
      return from_field<double>(tensor.double_data(), count);
    default:
      return std::nullopt;
  }
}

void set_integers(Known& known, const std::vector<std::int64_t>& values) {
  known.integers.emplace();
  for (const std::int64_t value : values) known.integers->push_back({value, false});
}

Known scalar(ElementType type) {
  Known known;
  known.shape = Shape();
  known.type = type;
  return known;
}

Known list(ElementType type, std::int64_t size) {
  Known known;
  known.shape = Shape{{size}};
  known.type = type;
  return known;
}

}  // namespace

Result<Known> known_tensor(const ::onnx::TensorProto& tensor) {
  Known known;
  const auto type = element_type_of(tensor.data_type());
  if (!type) return fail(Errc::invalid_input, "element type {} does not exist", tensor.data_type());
  known.type = *type;
  if (tensor.dims_size() > static_cast<int>(Shape::kMaxRank)) {
    return fail(Errc::unsupported, "{} axes; {} are the most", tensor.dims_size(), Shape::kMaxRank);
  }
  for (const std::int64_t size : tensor.dims()) {
    if (size < 0) return fail(Errc::invalid_input, "an extent of {}", size);
  }
  known.shape = Shape::fixed(std::vector<std::int64_t>(tensor.dims().begin(), tensor.dims().end()));
  const auto count = known.shape->elements(1).value();
  if (!count) return fail(Errc::invalid_input, "{} has more than 2^63 elements", to_text(*known.shape));
  if (*count > kSmall || tensor.data_location() == ::onnx::TensorProto::EXTERNAL) return known;
  if (const auto values = integers_of(tensor, *count)) set_integers(known, *values);
  known.reals = reals_of(tensor, *count);
  return known;
}

Result<Known> known_constant(const ::onnx::NodeProto& node) {
  for (const auto& attribute : node.attribute()) {
    const std::string& name = attribute.name();
    if (name == "value" && attribute.has_t()) return known_tensor(attribute.t());
    if (name == "sparse_value" && attribute.has_sparse_tensor()) {
      const auto& dims = attribute.sparse_tensor().dims();
      if (dims.size() > static_cast<int>(Shape::kMaxRank))
        return fail(Errc::unsupported, "{} axes", dims.size());
      Known known;
      known.shape = Shape::fixed(std::vector<std::int64_t>(dims.begin(), dims.end()));
      known.type =
          element_type_of(attribute.sparse_tensor().values().data_type()).value_or(ElementType::float32);
      return known;
    }
    if (name == "value_int") {
      Known known = scalar(ElementType::int64);
      set_integers(known, {attribute.i()});
      return known;
    }
    if (name == "value_ints") {
      Known known = list(ElementType::int64, attribute.ints_size());
      set_integers(known, {attribute.ints().begin(), attribute.ints().end()});
      return known;
    }
    if (name == "value_float") {
      Known known = scalar(ElementType::float32);
      known.reals = std::vector<double>{static_cast<double>(attribute.f())};
      return known;
    }
    if (name == "value_floats") {
      Known known = list(ElementType::float32, attribute.floats_size());
      known.reals = std::vector<double>(attribute.floats().begin(), attribute.floats().end());
      return known;
    }
    if (name == "value_string") return scalar(ElementType::text);
    if (name == "value_strings") return list(ElementType::text, attribute.strings_size());
  }
  return fail(Errc::invalid_input, "a constant without a value");
}

}  // namespace ergon::graph::onnx
