#include "predict/strided_copies.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace ergon::predict {
namespace {

using graph::NodeId;
using graph::ValueId;

// Such a copy goes by elements. Swin transformers on an H200 take 6.8 ps for each on top of their operations,
// in 16 and in 32 bits (data/measured/h200-more); at the rate of kernels that gather this is that much
// traffic.
constexpr double kBytesOfWide = 6.1, kBytesOfHalf = 2.1;

// Whether a turn moves any but the last two axes: products take those either way.
bool moves_matrices(const graph::Transpose& turn) {
  for (std::size_t axis = 0; axis + 2 < turn.order.size(); ++axis) {
    if (turn.order[axis] != static_cast<std::int64_t>(axis)) return true;
  }
  return false;
}

// The tensor whose order a node keeps: what is computed element by element lies as its first input does.
std::optional<ValueId> order_taken_from(const graph::Network& network, const graph::Node& node) {
  if (node.inputs.empty()) return std::nullopt;
  const ValueId first = node.inputs[0];
  const graph::Operation& operation = node.operation;
  const bool cuts = std::holds_alternative<graph::Slice>(operation) ||
                    std::holds_alternative<graph::Split>(operation) ||
                    std::holds_alternative<graph::Identity>(operation);
  const bool computes = std::holds_alternative<graph::Arithmetic>(operation) ||
                        std::holds_alternative<graph::Elementwise>(operation) ||
                        std::holds_alternative<graph::Normalization>(operation) ||
                        std::holds_alternative<graph::Transpose>(operation);
  if (cuts || computes) return first;
  const auto* reshape = std::get_if<graph::Reshape>(&operation);
  const bool drops_an_axis =
      reshape != nullptr && reshape->result.rank() + 1 == network.values[first].shape.rank() &&
      std::holds_alternative<graph::Slice>(network.nodes[network.values[first].producer].operation);
  return drops_an_axis ? std::optional(first) : std::nullopt;
}

bool is_scattered(const graph::Network& network, ValueId value) {
  while (true) {
    const graph::Node& node = network.nodes[network.values[value].producer];
    const auto* turn = std::get_if<graph::Transpose>(&node.operation);
    if (turn != nullptr && moves_matrices(*turn)) return true;
    const auto before = order_taken_from(network, node);
    if (!before) return false;
    value = *before;
  }
}

// "8192x3x49x32"
std::string extents_of(const graph::Shape& shape, std::int64_t batch) {
  std::string text;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis)
    text += fmt::format("{}{}", axis > 0 ? "x" : "", shape[axis].at(batch).exact());
  return text;
}

Task copy_of(const graph::Shape& shape, const Condition& condition) {
  const auto elements = static_cast<double>(shape.elements(condition.batch).exact());
  Task task;
  task.kind = "strided_copy";
  task.description = extents_of(shape, condition.batch);
  task.id = fmt::format("{} {}", task.kind, task.description);
  task.hidden = true;
  task.geometry.batch = static_cast<double>(condition.batch);
  task.geometry.inputs = 1;
  task.geometry.input_elements = task.geometry.output_elements = elements;
  device::Kernel kernel;
  kernel.kind = device::KernelKind::gather;
  kernel.traffic =
      Bytes{elements * (device::bytes_of(condition.precision) == 2 ? kBytesOfHalf : kBytesOfWide)};
  task.forward = {kernel};
  return task;
}

}  // namespace

std::vector<Task> strided_copies(const graph::Network& network, const std::vector<profile::Step>& steps,
                                 const Condition& condition) {
  std::vector<Task> copies;
  for (const profile::Step& step : steps) {
    if (step.what != profile::Step::What::node) continue;
    const graph::Node& node = network.nodes[step.nodes.front()];
    if (!std::holds_alternative<graph::MatrixProduct>(node.operation)) continue;
    for (const ValueId input : node.inputs) {
      const graph::Shape& shape = network.values[input].shape;
      if (shape.rank() < 4 || !is_scattered(network, input)) continue;
      Task copy = copy_of(shape, condition);
      const auto same =
          std::find_if(copies.begin(), copies.end(), [&](const Task& each) { return each.id == copy.id; });
      if (same == copies.end())
        copies.push_back(std::move(copy));
      else
        same->count += 1;
    }
  }
  return copies;
}

}  // namespace ergon::predict
