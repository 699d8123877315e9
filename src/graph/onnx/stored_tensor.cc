#include "graph/onnx/stored_tensor.h"

#include <bit>
#include <cstring>
#include <span>

#include "graph/onnx/element_types.h"
#include "graph/onnx/external_data.h"

namespace ergon::graph::onnx {
namespace {

static_assert(std::endian::native == std::endian::little, "ONNX stores raw data in little-endian order");

// Converts the numbers of a field to the width of the element type; fields store wider numbers.
template <typename Element, typename Field>
std::vector<std::byte> packed(const Field& field) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(field.size()) * sizeof(Element));
  std::size_t offset = 0;
  for (const auto number : field) {
    const auto element = static_cast<Element>(number);
    std::memcpy(bytes.data() + offset, &element, sizeof(element));
    offset += sizeof(element);
  }
  return bytes;
}

std::vector<std::byte> from_field(const ::onnx::TensorProto& tensor, ElementType type) {
  switch (type) {
    case ElementType::float32:
      return packed<float>(tensor.float_data());
    case ElementType::float64:
      return packed<double>(tensor.double_data());
    case ElementType::int64:
      return packed<std::int64_t>(tensor.int64_data());
    case ElementType::uint64:
      return packed<std::uint64_t>(tensor.uint64_data());
    case ElementType::uint32:
      return packed<std::uint32_t>(tensor.uint64_data());
    case ElementType::int32:
      return packed<std::int32_t>(tensor.int32_data());
    // fp16 is stored as bit patterns.
    case ElementType::float16:
    case ElementType::bfloat16:
    case ElementType::int16:
    case ElementType::uint16:
      return packed<std::uint16_t>(tensor.int32_data());
    // Two 4-bit elements share a number.
    case ElementType::float8:
    case ElementType::int8:
    case ElementType::uint8:
    case ElementType::int4:
    case ElementType::uint4:
    case ElementType::boolean:
      return packed<std::uint8_t>(tensor.int32_data());
    case ElementType::text:
      break;
  }
  return {};
}

template <typename Element>
StoredTensor holding(ElementType type, std::vector<std::int64_t> sizes, std::span<const Element> elements) {
  StoredTensor stored{type, std::move(sizes), std::vector<std::byte>(elements.size_bytes())};
  if (!elements.empty()) std::memcpy(stored.bytes.data(), elements.data(), elements.size_bytes());
  return stored;
}

}  // namespace

Result<StoredTensor> stored_tensor(const ::onnx::TensorProto& tensor, const std::string& folder) {
  const auto type = element_type_of(tensor.data_type());
  if (!type) return fail(Errc::invalid_input, "element type {} does not exist", tensor.data_type());
  if (*type == ElementType::text) return fail(Errc::unsupported, "it is a string tensor");
  StoredTensor stored{*type, {tensor.dims().begin(), tensor.dims().end()}, {}};
  Count elements = 1;
  for (const std::int64_t size : stored.sizes) {
    if (size < 0) return fail(Errc::invalid_input, "invalid extent {}", size);
    elements *= size;
  }
  const auto expected = bytes_of(elements, *type).value();
  if (!expected) return expected.error();
  if (tensor.data_location() == ::onnx::TensorProto::EXTERNAL) {
    auto bytes = external_bytes(tensor, folder, *expected);
    if (!bytes) return fail(Errc::unsupported, "its data is missing");
    stored.bytes = std::move(*bytes);
    return stored;
  }
  if (tensor.has_raw_data()) {
    const auto* first = reinterpret_cast<const std::byte*>(tensor.raw_data().data());
    stored.bytes.assign(first, first + tensor.raw_data().size());
  } else {
    stored.bytes = from_field(tensor, *type);
  }
  if (stored.bytes.empty() && *expected > 0) return fail(Errc::unsupported, "its data is missing");
  if (stored.bytes.size() != static_cast<std::size_t>(*expected)) {
    return fail(Errc::invalid_input, "{} bytes of data; its shape needs {}", stored.bytes.size(), *expected);
  }
  return stored;
}

Result<StoredTensor> stored_constant(const ::onnx::NodeProto& node) {
  for (const auto& attribute : node.attribute()) {
    const std::string& name = attribute.name();
    if (name == "value" && attribute.has_t()) return stored_tensor(attribute.t(), "");
    if (name == "value_int") {
      const std::int64_t value = attribute.i();
      return holding<std::int64_t>(ElementType::int64, {}, {&value, 1});
    }
    if (name == "value_ints") {
      const std::vector<std::int64_t> values(attribute.ints().begin(), attribute.ints().end());
      return holding<std::int64_t>(ElementType::int64, {attribute.ints_size()}, values);
    }
    if (name == "value_float") {
      const float value = attribute.f();
      return holding<float>(ElementType::float32, {}, {&value, 1});
    }
    if (name == "value_floats") {
      const std::vector<float> values(attribute.floats().begin(), attribute.floats().end());
      return holding<float>(ElementType::float32, {attribute.floats_size()}, values);
    }
  }
  return fail(Errc::unsupported, "its value is sparse, a string or missing");
}

}  // namespace ergon::graph::onnx
