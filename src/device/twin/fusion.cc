#include "device/twin/fusion.h"

#include <algorithm>

namespace ergon::device {
namespace {

class Finder {
 public:
  explicit Finder(const graph::Network& network) : network_(network), consumers_(network.values.size()) {
    for (graph::NodeId id = 0; id < network.nodes.size(); ++id) {
      for (const graph::ValueId input : network.nodes[id].inputs) consumers_[input].push_back(id);
    }
    fusion_.no_launch.resize(network.nodes.size());
    fusion_.on_chip.resize(network.values.size());
  }

  Fusion find() {
    for (graph::NodeId id = 0; id < network_.nodes.size(); ++id) {
      if (is<graph::Transpose>(id)) fusion_.no_launch[id] = !feeds<graph::Reshape>(id);
    }
    for (graph::NodeId id = 0; id < network_.nodes.size(); ++id) {
      if (is<graph::Softmax>(id)) join_attention(id);
      if (is_scaling(id) && scales_a_factor(id)) fusion_.no_launch[id] = true;
    }
    return std::move(fusion_);
  }

 private:
  template <typename Kind>
  bool is(graph::NodeId id) const {
    return std::holds_alternative<Kind>(network_.nodes[id].operation);
  }
  template <typename Kind>
  bool feeds(graph::NodeId id) const {
    const auto& readers = consumers_[network_.nodes[id].outputs[0]];
    return std::any_of(readers.begin(), readers.end(),
                       [&](graph::NodeId reader) { return is<Kind>(reader); });
  }
  bool is_activation_product(graph::NodeId id) const {
    const auto* product = std::get_if<graph::MatrixProduct>(&network_.nodes[id].operation);
    return product != nullptr && !product->weight;
  }
  // Multiplication by a constant scalar.
  bool is_scaling(graph::NodeId id) const {
    const auto* arithmetic = std::get_if<graph::Arithmetic>(&network_.nodes[id].operation);
    return arithmetic != nullptr && arithmetic->scalar && network_.nodes[id].inputs.size() == 1;
  }
  graph::NodeId producer(graph::NodeId id) const {
    return network_.values[network_.nodes[id].inputs[0]].producer;
  }
  graph::ValueId result(graph::NodeId id) const { return network_.nodes[id].outputs[0]; }

  // The only reader of a node's result, skipping dropouts.
  std::optional<graph::NodeId> only_reader(graph::NodeId id) const {
    while (true) {
      const auto& readers = consumers_[result(id)];
      if (readers.size() != 1) return std::nullopt;
      if (!is<graph::Dropout>(readers[0])) return readers[0];
      id = readers[0];
    }
  }

  bool scales_a_factor(graph::NodeId id) const {
    auto reader = only_reader(id);
    while (reader && is<graph::Transpose>(*reader)) reader = only_reader(*reader);
    return reader && is_activation_product(*reader);
  }

  bool runs_along_last_axis(graph::NodeId softmax) const {
    const graph::Shape& shape = network_.values[network_.nodes[softmax].inputs[0]].shape;
    const auto axis = shape.axis(std::get<graph::Softmax>(network_.nodes[softmax].operation).axis);
    return axis && *axis + 1 == shape.rank();
  }

  void join_attention(graph::NodeId softmax) {
    if (network_.nodes[softmax].inputs.empty() || !runs_along_last_axis(softmax)) return;
    std::vector<graph::NodeId> between;
    graph::NodeId scores = producer(softmax);
    while (is_scaling(scores)) {
      between.push_back(scores);
      scores = producer(scores);
    }
    const auto sum = only_reader(softmax);
    if (!is_activation_product(scores) || !sum || !is_activation_product(*sum)) return;
    fusion_.on_chip[result(scores)] = true;
    for (const graph::NodeId each : between) {
      fusion_.no_launch[each] = true;
      fusion_.on_chip[result(each)] = true;
    }
    fusion_.no_launch[softmax] = true;
    fusion_.on_chip[result(softmax)] = true;
    for (const graph::NodeId reader : consumers_[result(softmax)]) {
      if (!is<graph::Dropout>(reader)) continue;
      fusion_.no_launch[reader] = true;
      fusion_.on_chip[result(reader)] = true;
      between.push_back(reader);
    }
    fusion_.attention.push_back({scores, softmax, *sum, std::move(between)});
  }

  const graph::Network& network_;
  std::vector<std::vector<graph::NodeId>> consumers_;
  Fusion fusion_;
};

}  // namespace

Fusion fusion_of(const graph::Network& network) { return Finder(network).find(); }

}  // namespace ergon::device
