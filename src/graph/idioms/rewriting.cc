#include "graph/idioms/rewriting.h"

#include <algorithm>

#include "base/contract.h"

namespace ergon::graph {

Rewriting::Rewriting(const Network& network)
    : network_(network), readers_(network.values.size()), gone_(network.nodes.size()) {
  for (NodeId id = 0; id < network_.nodes.size(); ++id) {
    for (const ValueId input : network_.nodes[id].inputs) readers_[input].push_back(id);
  }
  for (const ValueId output : network_.outputs) readers_[output].push_back(kOutside);
}

bool Rewriting::is(NodeId id, Function function) const {
  const auto* elementwise = as<Elementwise>(id);
  return elementwise != nullptr && elementwise->function == function;
}

bool Rewriting::is_by_number(NodeId id, Combine combine) const {
  const auto* arithmetic = as<Arithmetic>(id);
  return arithmetic != nullptr && arithmetic->combine == combine && arithmetic->scalar &&
         !arithmetic->weight && node(id).inputs.size() == 1;
}

bool Rewriting::is_of_two(NodeId id, Combine combine) const {
  const auto* arithmetic = as<Arithmetic>(id);
  return arithmetic != nullptr && arithmetic->combine == combine && !arithmetic->scalar &&
         !arithmetic->weight && node(id).inputs.size() == 2;
}

bool Rewriting::is_by_weight(NodeId id, Combine combine) const {
  const auto* arithmetic = as<Arithmetic>(id);
  return arithmetic != nullptr && arithmetic->combine == combine && !arithmetic->scalar &&
         arithmetic->weight && node(id).inputs.size() == 1;
}

std::vector<NodeId> Rewriting::readers(NodeId id) const {
  std::vector<NodeId> inside = readers_[result(id)];
  std::erase(inside, kOutside);
  return inside;
}

bool Rewriting::only_for(NodeId id, NodeId reader) const {
  const auto& readers = readers_[result(id)];
  return !readers.empty() &&
         std::all_of(readers.begin(), readers.end(), [&](NodeId each) { return each == reader; });
}

std::optional<NodeId> Rewriting::only_reader(NodeId id) const {
  const auto& readers = readers_[result(id)];
  if (readers.size() != 1 || readers.front() == kOutside) return std::nullopt;
  return readers.front();
}

std::optional<ValueId> Rewriting::other_input(NodeId id, ValueId one) const {
  const auto& inputs = node(id).inputs;
  if (inputs.size() != 2 || (inputs[0] != one && inputs[1] != one)) return std::nullopt;
  return inputs[0] == one ? inputs[1] : inputs[0];
}

void Rewriting::unread(ValueId value, NodeId reader) {
  auto& readers = readers_[value];
  if (const auto found = std::find(readers.begin(), readers.end(), reader); found != readers.end())
    readers.erase(found);
}

void Rewriting::become(NodeId id, Operation operation, std::vector<ValueId> inputs,
                       std::vector<Weight> weights) {
  Node& changed = network_.nodes[id];
  for (const ValueId input : changed.inputs) unread(input, id);
  for (const ValueId input : inputs) readers_[input].push_back(id);
  changed.operation = std::move(operation);
  changed.inputs = std::move(inputs);
  changed.weights = std::move(weights);
}

void Rewriting::bypass(NodeId id, ValueId instead) {
  const ValueId given = result(id);
  ERGON_EXPECTS(shape(given) == shape(instead));
  for (const ValueId input : node(id).inputs) unread(input, id);
  gone_[id] = true;
  for (const NodeId reader : readers_[given]) {
    readers_[instead].push_back(reader);
    auto& read = reader == kOutside ? network_.outputs : network_.nodes[reader].inputs;
    std::replace(read.begin(), read.end(), given, instead);
  }
  readers_[given].clear();
}

void Rewriting::forget(NodeId last, bool (*may_go)(const Operation&)) {
  std::vector<NodeId> open{last};
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    const auto& outputs = node(id).outputs;
    const bool read = std::any_of(outputs.begin(), outputs.end(),
                                  [&](ValueId output) { return !readers_[output].empty(); });
    if (gone_[id] || read || as<Input>(id) != nullptr || !may_go(node(id).operation)) continue;
    gone_[id] = true;
    for (const ValueId input : node(id).inputs) {
      unread(input, id);
      open.push_back(producer(input));
    }
  }
}

Network Rewriting::finish() && {
  Network whole = std::move(network_);
  Network rest = whole;
  rest.nodes.clear();
  rest.values.clear();
  rest.layers.clear();
  std::vector<ValueId> renamed(whole.values.size());
  for (const Layer& layer : whole.layers) {
    Layer kept = layer;
    kept.first = static_cast<NodeId>(rest.nodes.size());
    for (NodeId id = layer.first; id < layer.first + layer.count; ++id) {
      if (gone_[id]) continue;
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
    kept.count = static_cast<NodeId>(rest.nodes.size()) - kept.first;
    if (kept.count > 0) rest.layers.push_back(std::move(kept));
  }
  for (ValueId& output : rest.outputs) output = renamed[output];
  return rest;
}

}  // namespace ergon::graph
