#include "graph/onnx/batch_detection.h"

#include <algorithm>

#include "base/text.h"
#include "graph/infer.h"
#include "graph/overloaded.h"

namespace ergon::graph::onnx {
namespace {

bool is_batch_name(const std::string& name) {
  const std::string small = lower(name);
  return small.find("batch") != std::string::npos || small == "n" || small == "b";
}

bool is_batched(const Shape& shape, std::int64_t axis) {
  const auto found = shape.axis(axis);
  return found && shape[*found].batched;
}

}  // namespace

bool BatchDetection::is_batch(const DeclaredShape::Extent& extent, std::size_t axis) const {
  if (!symbolic) return false;
  if (extent.size) return axis == 0 && extent.size == number;
  return extent.name.empty() ? axis == 0 : names.contains(extent.name);
}

BatchDetection detect_batch(const OnnxModel& model, const ImportOptions& options,
                            const std::set<std::string>& weight_inputs) {
  std::set<std::string> weights = weight_inputs;
  for (const auto& tensor : model.proto.graph().initializer()) weights.insert(tensor.name());
  BatchDetection detected;
  std::set<std::string> called_so;
  std::set<std::string> first_names;
  std::vector<std::int64_t> first_numbers;
  bool hole = false;
  bool all_have_one = true;
  for (const auto& input : model.proto.graph().input()) {
    if (weights.contains(input.name())) continue;
    const auto shape = declared_shape(input);
    if (!shape || shape->extents.empty()) {
      all_have_one = false;
      continue;
    }
    for (const auto& extent : shape->extents) {
      if (extent.size || !is_batch_name(extent.name)) continue;
      const auto given = options.dimensions.find(extent.name);
      if (given != options.dimensions.end()) {
        detected.number = given->second;
      } else {
        called_so.insert(extent.name);
      }
    }
    const auto& first = shape->extents.front();
    if (first.size) {
      first_numbers.push_back(*first.size);
    } else if (first.name.empty()) {
      hole = true;
    } else if (!options.dimensions.contains(first.name)) {
      first_names.insert(first.name);
    }
  }
  if (detected.number) return detected;  // fixed by the caller
  if (!called_so.empty() || !first_names.empty() || hole) {
    detected.symbolic = true;
    detected.names = called_so.empty() ? first_names : called_so;
    return detected;
  }
  if (first_numbers.empty()) return detected;
  detected.number = first_numbers.front();
  const bool agree = std::all_of(first_numbers.begin(), first_numbers.end(),
                                 [&](std::int64_t number) { return number == first_numbers.front(); });
  detected.symbolic = all_have_one && agree && first_numbers.front() > 0;
  return detected;
}

std::optional<Error> check_samples_independent(const Network& network, const Node& node) {
  const auto shapes = network.input_shapes(node);
  const bool meet =
      std::visit(Overloaded{
                     [&](const Recurrent& op) { return is_batched(shapes[0], op.batch_first ? 1 : 0); },
                     [&](const MatrixProduct& op) {
                       const auto product = infer_product(op, shapes);
                       return product && product->inner.batched;
                     },
                     [&](const Softmax& op) { return is_batched(shapes[0], op.axis); },
                     [&](const Reduce& op) {
                       if (op.axes.empty()) return shapes[0].batched();
                       return std::any_of(op.axes.begin(), op.axes.end(),
                                          [&](std::int64_t axis) { return is_batched(shapes[0], axis); });
                     },
                     [](const auto&) { return false; },
                 },
                 node.operation);
  const bool twice = std::any_of(node.outputs.begin(), node.outputs.end(), [&](ValueId id) {
    const auto dims = network.values[id].shape.dims();
    return std::count_if(dims.begin(), dims.end(), [](const Dim& dim) { return dim.batched; }) > 1;
  });
  if (!meet && !twice) return std::nullopt;
  return fail(Errc::unsupported, "the first axis is not a batch: samples depend on each other");
}

}  // namespace ergon::graph::onnx
