#include "graph/onnx/call.h"

#include <algorithm>

#include <fmt/format.h>

namespace ergon::graph::onnx {

Result<Shape> NodeCall::shape(std::size_t i) const {
  if (!has(i)) return fail(Errc::invalid_input, "input {} is missing", i);
  if (!in(i).shape) {
    return fail(Errc::unsupported, "the shape of input \"{}\" is unknown", node_.input(static_cast<int>(i)));
  }
  return *in(i).shape;
}

const ::onnx::AttributeProto* NodeCall::attribute(std::string_view name) const {
  const auto found =
      std::find_if(node_.attribute().begin(), node_.attribute().end(),
                   [&](const ::onnx::AttributeProto& attribute) { return attribute.name() == name; });
  return found == node_.attribute().end() ? nullptr : &*found;
}

std::optional<std::int64_t> NodeCall::integer(std::string_view name) const {
  const auto* found = attribute(name);
  // Exporters may omit the value 0; then only the type is set.
  if (found == nullptr || (!found->has_i() && found->type() != ::onnx::AttributeProto::INT))
    return std::nullopt;
  return found->i();
}

std::int64_t NodeCall::integer(std::string_view name, std::int64_t otherwise) const {
  return integer(name).value_or(otherwise);
}

std::optional<std::vector<std::int64_t>> NodeCall::integers(std::string_view name) const {
  const auto* found = attribute(name);
  if (found == nullptr || (found->ints_size() == 0 && found->type() != ::onnx::AttributeProto::INTS))
    return std::nullopt;
  return std::vector<std::int64_t>(found->ints().begin(), found->ints().end());
}

std::optional<std::vector<double>> NodeCall::reals(std::string_view name) const {
  const auto* found = attribute(name);
  if (found == nullptr) return std::nullopt;
  return std::vector<double>(found->floats().begin(), found->floats().end());
}

std::string NodeCall::text(std::string_view name, std::string_view otherwise) const {
  const auto* found = attribute(name);
  return found != nullptr && found->has_s() ? found->s() : std::string(otherwise);
}

Result<std::vector<Dim>> NodeCall::contents(std::size_t i, std::string_view what) const {
  if (!has(i)) return fail(Errc::invalid_input, "{} is missing", what);
  if (in(i).integers) return *in(i).integers;
  const std::string& name = node_.input(static_cast<int>(i));
  if (!in(i).constant()) {
    return fail(Errc::unsupported, "{} \"{}\" depends on run-time data; only static shapes are supported",
                what, name);
  }
  return fail(Errc::unsupported, "{} \"{}\" cannot be determined from the file", what, name);
}

Result<std::vector<std::int64_t>> NodeCall::fixed_contents(std::size_t i, std::string_view what) const {
  const auto dims = contents(i, what);
  if (!dims) return dims.error();
  std::vector<std::int64_t> numbers;
  for (const Dim& dim : *dims) {
    if (dim.batched) return fail(Errc::unsupported, "{} depends on the batch", what);
    numbers.push_back(dim.size);
  }
  return numbers;
}

Result<std::optional<std::vector<std::int64_t>>> NodeCall::attribute_or_input(std::string_view name,
                                                                              std::size_t i) const {
  if (auto given = integers(name)) return given;
  if (!has(i)) return std::optional<std::vector<std::int64_t>>();
  auto given = fixed_contents(i, fmt::format("list of {}", name));
  if (!given) return given.error();
  return std::optional(std::move(*given));
}

}  // namespace ergon::graph::onnx
