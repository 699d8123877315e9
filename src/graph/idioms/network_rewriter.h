#pragma once

#include <optional>
#include <vector>

#include "graph/network.h"

namespace ergon::graph {

// Edits a network: replaces and removes nodes. Node and value ids stay valid until finish().
class NetworkRewriter {
 public:
  explicit NetworkRewriter(const Network& network);

  NodeId nodes() const { return static_cast<NodeId>(network_.nodes.size()); }
  bool is_removed(NodeId id) const { return removed_[id]; }
  const Node& node(NodeId id) const { return network_.nodes[id]; }
  const Shape& shape(ValueId value) const { return network_.values[value].shape; }
  ElementType type(ValueId value) const { return network_.values[value].type; }
  ValueId result(NodeId id) const { return node(id).outputs[0]; }
  NodeId producer(ValueId value) const { return network_.values[value].producer; }

  template <typename Kind>
  const Kind* as(NodeId id) const {
    return std::get_if<Kind>(&network_.nodes[id].operation);
  }
  // Elementwise function of one input.
  bool is(NodeId id, Function function) const;
  bool is_with_scalar(NodeId id, Combine combine) const;
  // Combination of two tensors, neither of them a constant.
  bool is_of_two_tensors(NodeId id, Combine combine) const;
  // Combination of one tensor and a weight.
  bool is_with_weight(NodeId id, Combine combine) const;

  // The nodes that read a node's result; a node that reads it twice appears twice.
  std::vector<NodeId> readers(NodeId id) const;
  // Whether `reader` is the only node that reads it.
  bool is_only_read_by(NodeId id, NodeId reader) const;
  // The only reader of a node's result; empty if there are several, or if it is an output of the network.
  std::optional<NodeId> only_reader(NodeId id) const;
  // The other input of a node with two inputs.
  std::optional<ValueId> other_input(NodeId id, ValueId one) const;

  // Replaces the operation of a node; its result keeps shape and readers.
  void replace_operation(NodeId id, Operation operation, std::vector<ValueId> inputs,
                         std::vector<Weight> weights = {});
  // Redirects all readers of the node's result to `instead` and removes the node. Contract: equal shapes.
  void bypass(NodeId id, ValueId instead);
  // Removes a node without readers, and recursively its producers that then have no readers and satisfy
  // `removable`. Network inputs stay.
  void remove_unread(
      NodeId last, bool (*removable)(const Operation&) = [](const Operation&) { return true; });

  Network finish() &&;

 private:
  static constexpr NodeId kOutside = ~NodeId{0};
  void remove_reader(ValueId value, NodeId reader);

  Network network_;
  std::vector<std::vector<NodeId>> readers_;  // by value; one entry per read
  std::vector<bool> removed_;
};

}  // namespace ergon::graph
