#include "profile/step.h"

#include <algorithm>
#include <map>
#include <optional>

#include "device/twin/fusion.h"

namespace ergon::profile {
namespace {

using graph::NodeId;
using graph::ValueId;

constexpr double kDefaultDropout = 0.1;

class StepBuilder {
 public:
  StepBuilder(const graph::Network& network, const StepOptions& options)
      : network_(network), options_(options), readers_(network.values.size()), taken_(network.nodes.size()) {
    for (NodeId id = 0; id < network.nodes.size(); ++id) {
      if (!exists(id)) continue;
      for (const ValueId input : network.nodes[id].inputs) readers_[input].push_back(id);
    }
    for (const ValueId output : network.outputs) readers_[output].push_back(kOutside);
  }

  std::vector<Step> build() {
    if (!options_.exact) {
      for (const auto& attention : device::fusion_of(network_).attention) join(attention);
      for (NodeId id = 0; id < network_.nodes.size(); ++id) join_copy(id);
    }
    for (NodeId id = 0; id < network_.nodes.size(); ++id) {
      if (!exists(id) || is<graph::Input>(id)) continue;
      if (taken_[id]) {
        if (*taken_[id] == id) steps_.push_back(std::move(joined_.at(id)));
        continue;
      }
      Step step;
      step.kind = is_view(id) ? Step::Kind::view : Step::Kind::node;
      step.type = kind_of(network_.nodes[id].operation, network_.input_shapes(network_.nodes[id]));
      if (network_.layers[network_.nodes[id].layer].type == kNewGelu) step.type = "new_gelu";
      step.nodes = {id};
      finish(step);
      steps_.push_back(std::move(step));
    }
    return std::move(steps_);
  }

 private:
  static constexpr NodeId kOutside = ~NodeId{0};

  template <typename Kind>
  bool is(NodeId id) const {
    return std::holds_alternative<Kind>(network_.nodes[id].operation);
  }
  bool exists(NodeId id) const {
    return options_.mode == graph::Mode::training || !network_.layers[network_.nodes[id].layer].training_only;
  }
  bool is_view(NodeId id) const {
    if (is<graph::Dropout>(id)) return options_.mode == graph::Mode::inference;
    return is<graph::Identity>(id) || is<graph::Reshape>(id) || is<graph::Transpose>(id) ||
           is<graph::Split>(id) || is<graph::Slice>(id) || is<graph::Expand>(id) || is<graph::Parameter>(id);
  }
  NodeId producer(ValueId value) const { return network_.values[value].producer; }
  bool read_once(NodeId id) const { return readers_[network_.nodes[id].outputs[0]].size() == 1; }

  // A joined step is identified by its last node.
  void take(Step step) {
    std::sort(step.nodes.begin(), step.nodes.end());
    const NodeId last = step.nodes.back();
    for (const NodeId id : step.nodes) taken_[id] = last;
    finish(step);
    joined_.emplace(last, std::move(step));
  }

  void finish(Step& step) const {
    for (const NodeId id : step.nodes) {
      for (const ValueId input : network_.nodes[id].inputs) {
        const bool inside =
            std::find(step.nodes.begin(), step.nodes.end(), producer(input)) != step.nodes.end();
        const bool listed = std::find(step.inputs.begin(), step.inputs.end(), input) != step.inputs.end();
        if (!inside && !listed) step.inputs.push_back(input);
      }
    }
    step.output = network_.nodes[step.nodes.back()].outputs[0];
  }

  // A scaling of the queries or keys and the transpose of the keys become part of the kernel.
  void absorb(ValueId factor, std::vector<NodeId>& nodes) const {
    NodeId id = producer(factor);
    std::vector<NodeId> passed;
    while (is<graph::Transpose>(id) && read_once(id)) {
      passed.push_back(id);
      id = producer(network_.nodes[id].inputs[0]);
    }
    const auto* scaling = std::get_if<graph::Arithmetic>(&network_.nodes[id].operation);
    if (scaling != nullptr && scaling->scalar && network_.nodes[id].inputs.size() == 1 && read_once(id)) {
      nodes.insert(nodes.end(), passed.begin(), passed.end());
      nodes.push_back(id);
    }
  }

  void join(const device::FusedAttention& attention) {
    Step step;
    step.kind = Step::Kind::attention;
    step.type = "attention";
    const auto& scores = network_.nodes[attention.scores];
    step.nodes = {attention.scores, attention.softmax, attention.sum};
    for (const NodeId id : attention.between) {
      step.nodes.push_back(id);
      if (is<graph::Dropout>(id) && options_.mode == graph::Mode::training) step.dropout = kDefaultDropout;
    }
    absorb(scores.inputs[0], step.nodes);
    // The network transposes the keys; the kernel takes them before the transpose.
    const NodeId transpose = producer(scores.inputs[1]);
    const bool inside = std::find(step.nodes.begin(), step.nodes.end(), transpose) != step.nodes.end();
    if (!inside && is<graph::Transpose>(transpose) && read_once(transpose)) step.nodes.push_back(transpose);
    for (const NodeId id : step.nodes) {
      if (taken_[id] || !exists(id)) return;
    }
    take(std::move(step));
  }

  void join_copy(NodeId id) {
    if (taken_[id] || !exists(id) || !is<graph::Transpose>(id) || !read_once(id)) return;
    const NodeId reader = readers_[network_.nodes[id].outputs[0]][0];
    if (reader == kOutside || taken_[reader] || !is<graph::Reshape>(reader)) return;
    Step step;
    step.kind = Step::Kind::copy;
    step.type = "transpose";
    step.nodes = {id, reader};
    take(std::move(step));
  }

  const graph::Network& network_;
  const StepOptions& options_;
  std::vector<std::vector<NodeId>> readers_;
  std::vector<std::optional<NodeId>> taken_;  // by node: last node of its joined step
  std::map<NodeId, Step> joined_;
  std::vector<Step> steps_;
};

}  // namespace

std::vector<Step> steps_of(const graph::Network& network, const StepOptions& options) {
  return StepBuilder(network, options).build();
}

graph::Network network_of(const graph::Network& network, const Step& step) {
  graph::Network part;
  part.name = step.type;
  part.family = network.family;
  const graph::Layer& home = network.layers[network.nodes[step.nodes.front()].layer];
  part.layers.push_back({step.type, home.type, 0, 0, false});
  std::map<ValueId, ValueId> renamed;
  const auto add_value = [&](ValueId old) {
    const auto id = static_cast<ValueId>(part.values.size());
    graph::Value value = network.values[old];
    value.producer = static_cast<NodeId>(part.nodes.size());
    part.values.push_back(value);
    renamed[old] = id;
    return id;
  };
  for (const ValueId input : step.inputs) {
    const ValueId value = add_value(input);
    part.nodes.push_back({graph::Input{}, {}, {value}, {}, 0});
  }
  for (const NodeId id : step.nodes) {
    graph::Node node = network.nodes[id];
    node.layer = 0;
    for (ValueId& input : node.inputs) input = renamed.at(input);
    for (ValueId& output : node.outputs) output = add_value(output);
    for (auto& weight : node.weights) weight.shared = false;
    part.nodes.push_back(std::move(node));
  }
  part.outputs = part.nodes.back().outputs;
  part.layers[0].count = static_cast<NodeId>(part.nodes.size());
  part.batch_is_fixed = network.batch_is_fixed;
  part.default_batch = network.default_batch;
  return part;
}

}  // namespace ergon::profile
