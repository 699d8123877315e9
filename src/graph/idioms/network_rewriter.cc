#include "graph/idioms/network_rewriter.h"

#include <algorithm>

#include "base/contract.h"

namespace ergon::graph {

NetworkRewriter::NetworkRewriter(const Network& network)
    : network_(network), readers_(network.values.size()), removed_(network.nodes.size()) {
  for (NodeId id = 0; id < network_.nodes.size(); ++id) {
    for (const ValueId input : network_.nodes[id].inputs) readers_[input].push_back(id);
  }
  for (const ValueId output : network_.outputs) readers_[output].push_back(kOutside);
}

bool NetworkRewriter::is(NodeId id, Function function) const {
  const auto* elementwise = as<Elementwise>(id);
  return elementwise != nullptr && elementwise->function == function;
}

bool NetworkRewriter::is_with_scalar(NodeId id, Combine combine) const {
  const auto* arithmetic = as<Arithmetic>(id);
  return arithmetic != nullptr && arithmetic->combine == combine && arithmetic->scalar &&
         !arithmetic->weight && node(id).inputs.size() == 1;
}

bool NetworkRewriter::is_of_two_tensors(NodeId id, Combine combine) const {
  const auto* arithmetic = as<Arithmetic>(id);
  return arithmetic != nullptr && arithmetic->combine == combine && !arithmetic->scalar &&
         !arithmetic->weight && node(id).inputs.size() == 2;
}

bool NetworkRewriter::is_with_weight(NodeId id, Combine combine) const {
  const auto* arithmetic = as<Arithmetic>(id);
  return arithmetic != nullptr && arithmetic->combine == combine && !arithmetic->scalar &&
         arithmetic->weight && node(id).inputs.size() == 1;
}

std::vector<NodeId> NetworkRewriter::readers(NodeId id) const {
  std::vector<NodeId> inside = readers_[result(id)];
  std::erase(inside, kOutside);
  return inside;
}

bool NetworkRewriter::is_only_read_by(NodeId id, NodeId reader) const {
  const auto& readers = readers_[result(id)];
  return !readers.empty() &&
         std::all_of(readers.begin(), readers.end(), [&](NodeId each) { return each == reader; });
}

std::optional<NodeId> NetworkRewriter::only_reader(NodeId id) const {
  const auto& readers = readers_[result(id)];
  if (readers.size() != 1 || readers.front() == kOutside) return std::nullopt;
  return readers.front();
}

std::optional<ValueId> NetworkRewriter::other_input(NodeId id, ValueId one) const {
  const auto& inputs = node(id).inputs;
  if (inputs.size() != 2 || (inputs[0] != one && inputs[1] != one)) return std::nullopt;
  return inputs[0] == one ? inputs[1] : inputs[0];
}

void NetworkRewriter::remove_reader(ValueId value, NodeId reader) {
  auto& readers = readers_[value];
  if (const auto found = std::find(readers.begin(), readers.end(), reader); found != readers.end())
    readers.erase(found);
}

void NetworkRewriter::replace_operation(NodeId id, Operation operation, std::vector<ValueId> inputs,
                                        std::vector<Weight> weights) {
  Node& changed = network_.nodes[id];
  for (const ValueId input : changed.inputs) remove_reader(input, id);
  for (const ValueId input : inputs) readers_[input].push_back(id);
  changed.operation = std::move(operation);
  changed.inputs = std::move(inputs);
  changed.weights = std::move(weights);
}

void NetworkRewriter::bypass(NodeId id, ValueId instead) {
  const ValueId given = result(id);
  ERGON_EXPECTS(shape(given) == shape(instead));
  for (const ValueId input : node(id).inputs) remove_reader(input, id);
  removed_[id] = true;
  for (const NodeId reader : readers_[given]) {
    readers_[instead].push_back(reader);
    auto& read = reader == kOutside ? network_.outputs : network_.nodes[reader].inputs;
    std::replace(read.begin(), read.end(), given, instead);
  }
  readers_[given].clear();
}

void NetworkRewriter::remove_unread(NodeId last, bool (*removable)(const Operation&)) {
  std::vector<NodeId> open{last};
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    const auto& outputs = node(id).outputs;
    const bool read = std::any_of(outputs.begin(), outputs.end(),
                                  [&](ValueId output) { return !readers_[output].empty(); });
    if (removed_[id] || read || as<Input>(id) != nullptr || !removable(node(id).operation)) continue;
    removed_[id] = true;
    for (const ValueId input : node(id).inputs) {
      remove_reader(input, id);
      open.push_back(producer(input));
    }
  }
}

Network NetworkRewriter::finish() && {
  Network whole = std::move(network_);
  Network rest = whole;
  rest.nodes.clear();
  rest.values.clear();
  rest.layers.clear();
  std::vector<ValueId> renamed(whole.values.size());
  for (const Layer& layer : whole.layers) {
    Layer copy = layer;
    copy.first = static_cast<NodeId>(rest.nodes.size());
    for (NodeId id = layer.first; id < layer.first + layer.count; ++id) {
      if (removed_[id]) continue;
      Node node = std::move(whole.nodes[id]);
      node.layer = static_cast<LayerId>(rest.layers.size());
      for (ValueId& input : node.inputs) input = renamed[input];
      for (ValueId& output : node.outputs) {
        Value value = whole.values[output];
        value.producer = static_cast<NodeId>(rest.nodes.size());
        renamed[output] = static_cast<ValueId>(rest.values.size());
        rest.values.push_back(value);
        output = renamed[output];
      }
      rest.nodes.push_back(std::move(node));
    }
    copy.count = static_cast<NodeId>(rest.nodes.size()) - copy.first;
    if (copy.count > 0) rest.layers.push_back(std::move(copy));
  }
  for (ValueId& output : rest.outputs) output = renamed[output];
  return rest;
}

}  // namespace ergon::graph
