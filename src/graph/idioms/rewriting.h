#pragma once

#include <optional>
#include <vector>

#include "graph/network.h"

namespace ergon::graph {

// A network while nodes are taken out of it. Nodes and values keep their numbers until finish().
class Rewriting {
 public:
  explicit Rewriting(const Network& network);

  NodeId nodes() const { return static_cast<NodeId>(network_.nodes.size()); }
  bool gone(NodeId id) const { return gone_[id]; }
  const Node& node(NodeId id) const { return network_.nodes[id]; }
  const Shape& shape(ValueId value) const { return network_.values[value].shape; }
  ElementType type(ValueId value) const { return network_.values[value].type; }
  ValueId result(NodeId id) const { return node(id).outputs[0]; }
  NodeId producer(ValueId value) const { return network_.values[value].producer; }

  template <typename Kind>
  const Kind* as(NodeId id) const {
    return std::get_if<Kind>(&network_.nodes[id].operation);
  }
  // Element by element, of one input and perhaps a constant number.
  bool is(NodeId id, Function function) const;
  bool is_by_number(NodeId id, Combine combine) const;
  // Of two inputs that both flow.
  bool is_of_two(NodeId id, Combine combine) const;
  // Of one input and a learned operand.
  bool is_by_weight(NodeId id, Combine combine) const;

  // The nodes that read what a node gives, once for each time.
  std::vector<NodeId> readers(NodeId id) const;
  // Whether nothing but `reader` does.
  bool only_for(NodeId id, NodeId reader) const;
  // The one node that reads it, if there is no more than one and the network does not give it out.
  std::optional<NodeId> only_reader(NodeId id) const;
  // The input of a node of two that is not `one`.
  std::optional<ValueId> other_input(NodeId id, ValueId one) const;

  // Another operation in a node's place, which gives the same.
  void become(NodeId id, Operation operation, std::vector<ValueId> inputs, std::vector<Weight> weights = {});
  // Whoever reads the node's result reads `instead`, and the node is gone. Contract: of the same shape.
  void bypass(NodeId id, ValueId instead);
  // Takes out a node that nobody reads any more, and what was there for it alone, as far as it may go; inputs
  // stay.
  void forget(
      NodeId id, bool (*may_go)(const Operation&) = [](const Operation&) { return true; });

  Network finish() &&;

 private:
  static constexpr NodeId kOutside = ~NodeId{0};
  void unread(ValueId value, NodeId reader);

  Network network_;
  std::vector<std::vector<NodeId>> readers_;  // by value; once for each time it is read
  std::vector<bool> gone_;
};

}  // namespace ergon::graph
