#include "graph/onnx/constants.h"

#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "base/text.h"
#include "graph/onnx/element_types.h"
#include "graph/onnx/external_data.h"
#include "graph/onnx/strip_weights.h"

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

Result<Shape> shape_of(const google::protobuf::RepeatedField<google::protobuf::int64>& dims) {
  if (dims.size() > static_cast<int>(Shape::kMaxRank)) {
    return fail(Errc::unsupported, "{} axes are not supported (at most {})", dims.size(), Shape::kMaxRank);
  }
  for (const std::int64_t size : dims) {
    if (size < 0) return fail(Errc::invalid_input, "invalid extent {}", size);
  }
  return Shape::fixed(std::vector<std::int64_t>(dims.begin(), dims.end()));
}

void set_integers(ValueInfo& known, const std::vector<std::int64_t>& values) {
  known.integers.emplace();
  for (const std::int64_t value : values) known.integers->push_back({value, false});
}

Result<> check_length(const ValueInfo& known, std::uint64_t bytes) {
  const Count expected = bytes_of(known.shape->elements(1), known.type);
  if (known.type == ElementType::text ||
      (!expected.overflowed() && bytes == static_cast<std::uint64_t>(expected.exact()))) {
    return {};
  }
  return fail(Errc::invalid_input, "{} bytes of data for {} of {}", bytes, to_text(*known.shape),
              name_of(known.type));
}

// The length of stripped data must match the shape.
Result<> check_external_length(const ::onnx::TensorProto& tensor, const ValueInfo& known) {
  for (const auto& entry : tensor.external_data()) {
    if (entry.key() != kDataLength) continue;
    const auto length = parse_int64(entry.value());
    if (length && *length > 0) return check_length(known, static_cast<std::uint64_t>(*length));
  }
  return {};
}

void read_contents(ValueInfo& known, const ::onnx::TensorProto& tensor, std::int64_t count) {
  if (const auto values = integers_of(tensor, count)) set_integers(known, *values);
  known.reals = reals_of(tensor, count);
}

ValueInfo scalar(ElementType type) {
  ValueInfo known;
  known.shape = Shape();
  known.type = type;
  return known;
}

ValueInfo list(ElementType type, std::int64_t size) {
  ValueInfo known;
  known.shape = Shape{{size}};
  known.type = type;
  return known;
}

}  // namespace

Result<ValueInfo> tensor_info(const ::onnx::TensorProto& tensor, const std::string& folder) {
  ValueInfo known;
  const auto type = element_type_of(tensor.data_type());
  if (!type) return fail(Errc::invalid_input, "element type {} does not exist", tensor.data_type());
  known.type = *type;
  const auto shape = shape_of(tensor.dims());
  if (!shape) return shape.error();
  known.shape = *shape;
  const auto count = known.shape->elements(1).value();
  if (!count) return fail(Errc::invalid_input, "{} has more than 2^63 elements", to_text(*known.shape));
  if (tensor.data_location() == ::onnx::TensorProto::EXTERNAL) {
    if (const auto good = check_external_length(tensor, known); !good) return good.error();
    const bool useful = *count <= kSmall && *type != ElementType::text;
    const auto size = useful ? bytes_of(*count, *type).exact() : 0;
    if (const auto bytes = useful ? external_bytes(tensor, folder, size) : std::nullopt) {
      ::onnx::TensorProto inside = tensor;
      inside.set_data_location(::onnx::TensorProto::DEFAULT);
      inside.set_raw_data(bytes->data(), bytes->size());
      read_contents(known, inside, *count);
    }
    return known;
  }
  if (!tensor.raw_data().empty()) {
    if (const auto good = check_length(known, tensor.raw_data().size()); !good) return good.error();
  }
  if (*count <= kSmall) read_contents(known, tensor, *count);
  return known;
}

Result<ValueInfo> sparse_tensor_info(const ::onnx::SparseTensorProto& tensor) {
  const auto shape = shape_of(tensor.dims());
  if (!shape) return shape.error();
  ValueInfo known;
  known.shape = *shape;
  known.type = element_type_of(tensor.values().data_type()).value_or(ElementType::float32);
  return known;
}

Result<ValueInfo> constant_info(const ::onnx::NodeProto& node) {
  for (const auto& attribute : node.attribute()) {
    const std::string& name = attribute.name();
    if (name == "value" && attribute.has_t()) return tensor_info(attribute.t(), "");
    if (name == "sparse_value" && attribute.has_sparse_tensor())
      return sparse_tensor_info(attribute.sparse_tensor());
    if (name == "value_int") {
      ValueInfo known = scalar(ElementType::int64);
      set_integers(known, {attribute.i()});
      return known;
    }
    if (name == "value_ints") {
      ValueInfo known = list(ElementType::int64, attribute.ints_size());
      set_integers(known, {attribute.ints().begin(), attribute.ints().end()});
      return known;
    }
    if (name == "value_float") {
      ValueInfo known = scalar(ElementType::float32);
      known.reals = std::vector<double>{static_cast<double>(attribute.f())};
      return known;
    }
    if (name == "value_floats") {
      ValueInfo known = list(ElementType::float32, attribute.floats_size());
      known.reals = std::vector<double>(attribute.floats().begin(), attribute.floats().end());
      return known;
    }
    if (name == "value_string") return scalar(ElementType::text);
    if (name == "value_strings") return list(ElementType::text, attribute.strings_size());
  }
  return fail(Errc::invalid_input, "the constant has no value");
}

}  // namespace ergon::graph::onnx
