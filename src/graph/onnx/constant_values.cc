#include "graph/onnx/constant_values.h"

#include <fmt/format.h>

#include "base/text.h"
#include "graph/onnx/constant_arithmetic.h"
#include "graph/onnx/elements.h"
#include "graph/onnx/stored_tensor.h"
#include "graph/onnx/strip_weights.h"

namespace ergon::graph::onnx {
namespace {

constexpr std::int64_t kMaxComputedElements = std::int64_t{1}
                                              << 28;  // limit of elements of a computed constant

// Sizes at batch 1; empty if an extent is a larger multiple of the batch.
std::optional<std::vector<std::int64_t>> sizes_of(const ValueInfo& known) {
  if (!known.shape) return std::nullopt;
  for (const Dim& dim : known.shape->dims()) {
    if (dim.batched && dim.size != 1) return std::nullopt;
  }
  const auto elements = known.shape->elements(1).value();
  if (!elements || *elements > kMaxComputedElements) return std::nullopt;
  return known.shape->at(1);
}

// Results of shape arithmetic were computed at import.
std::optional<StoredTensor> from_integers(const ValueInfo& known) {
  const auto sizes = sizes_of(known);
  if (!sizes || !known.integers || is_floating(known.type)) return std::nullopt;
  std::vector<std::int64_t> numbers;
  for (const Dim& dim : *known.integers) {
    if (dim.batched) return std::nullopt;
    numbers.push_back(dim.size);
  }
  return stored_integers(known.type, *sizes, numbers);
}

}  // namespace

ConstantValues::ConstantValues(std::string_view bytes, std::string folder, const OnnxModel& model,
                               const std::vector<::onnx::NodeProto>& nodes, const Values& values)
    : folder_(std::move(folder)),
      opset_(model.opset),
      values_(values),
      initializers_(initializers_in(bytes)) {
  for (const auto& node : nodes) {
    for (const std::string& output : node.output()) producers_.emplace(output, &node);
  }
}

Result<ConstantValues::Stored> ConstantValues::find(const std::string& name) {
  std::vector<std::string> open{name};
  while (!open.empty()) {
    const std::string here = open.back();
    if (found_.contains(here)) {
      open.pop_back();
      continue;
    }
    const auto producer = producers_.find(here);
    const bool computed = producer != producers_.end() && producer->second->op_type() != "Constant";
    std::vector<std::string> wanted;
    auto stored = computed ? compute(here, *producer->second, wanted) : read(here);
    if (!stored) return stored.error();
    open.insert(open.end(), wanted.begin(), wanted.end());
    if (wanted.empty()) found_[here] = std::move(*stored);
  }
  return found_.at(name);
}

Result<ConstantValues::Stored> ConstantValues::read(const std::string& name) const {
  auto stored = [&]() -> Result<StoredTensor> {
    if (const auto producer = producers_.find(name); producer != producers_.end())
      return stored_constant(*producer->second);
    const auto initializer = initializers_.find(name);
    if (initializer == initializers_.end()) return fail(Errc::unsupported, "its data is missing");
    ::onnx::TensorProto tensor;
    if (initializer->second.size() > static_cast<std::size_t>(INT32_MAX) ||
        !tensor.ParseFromArray(initializer->second.data(), static_cast<int>(initializer->second.size())))
      return fail(Errc::unsupported, "it is larger than 2 GiB or not a tensor");
    return stored_tensor(tensor, folder_);
  }();
  if (!stored) return stored.error().in(fmt::format("\"{}\"", printable(name)));
  return std::make_shared<const StoredTensor>(std::move(*stored));
}

Result<ConstantValues::Stored> ConstantValues::compute(const std::string& name, const ::onnx::NodeProto& node,
                                                       std::vector<std::string>& wanted) const {
  const auto why_not = [&](std::string_view because) {
    return fail(Errc::unsupported, "\"{}\" is computed by {} from constants{}", printable(name),
                describe(node), because);
  };
  const ValueInfo& known = values_.at(name);
  if (auto numbers = from_integers(known)) return std::make_shared<const StoredTensor>(std::move(*numbers));
  const auto sizes = sizes_of(known);
  const auto inputs_read = inputs_computed_with(node.op_type());
  const bool standard = node.domain().empty() || node.domain() == "ai.onnx";
  if (!sizes || !inputs_read || !standard || node.output(0) != name) return why_not("");
  std::vector<const ValueInfo*> inputs;
  std::vector<Stored> tensors;
  for (const std::string& input : node.input()) {
    const auto about = values_.find(input);
    inputs.push_back(input.empty() || about == values_.end() ? nullptr : &about->second);
    tensors.emplace_back();
    if (tensors.size() > *inputs_read || inputs.back() == nullptr) continue;
    if (!inputs.back()->constant()) return why_not(" and run-time values");
    if (const auto there = found_.find(input); there != found_.end())
      tensors.back() = there->second;
    else
      wanted.push_back(input);
  }
  if (!wanted.empty()) return Stored();
  auto stored = computed(NodeCall(node, inputs, opset_), tensors, *sizes);
  if (!stored) return why_not("");
  if (stored->sizes != *sizes || stored->type != known.type) return why_not(", but with another shape");
  return std::make_shared<const StoredTensor>(std::move(*stored));
}

}  // namespace ergon::graph::onnx
