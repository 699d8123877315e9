// Activation memory as an eager framework (PyTorch) needs it.
//
// The network runs in order. A tensor lives from the operation that writes it to the last one that reads it;
// inputs and outputs of the network live throughout, so past keys and values of a decode step count. Views
// and operations in place have no memory of their own. Training also keeps what the backward pass reads
// (saved_tensors.h) until the backward pass of that operation, which runs in reverse order and needs the
// gradients of the operation's inputs and outputs. In TF32, a convolution of a channels-first image copies
// its input and output to channels-last for the tensor cores.

#include "device/twin/activation_memory.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "device/twin/network_precision.h"
#include "device/twin/saved_tensors.h"

namespace ergon::device {
namespace {

using graph::NodeId;
using graph::ValueId;

class Timeline {
 public:
  Timeline(const graph::Network& network, const Fusion& fusion, std::int64_t batch, graph::Mode mode,
           Precision precision)
      : network_(network),
        fusion_(fusion),
        batch_(batch),
        training_(mode == graph::Mode::training),
        precision_(precision) {
    count_reads();
    find_storage();
    find_last_readers();
  }

  double peak() {
    double live = permanent(), most = live, saved = 0;
    std::vector<double> saved_until(network_.nodes.size());
    std::vector<bool> is_saved(network_.values.size());
    for (NodeId id = 0; id < network_.nodes.size(); ++id) {
      const graph::Node& node = network_.nodes[id];
      if (is_absent(node)) continue;
      for (const ValueId value : node.outputs) live += own_bytes(value);
      most = std::max(most, live + saved + workspace(node));
      for (const ValueId root : dying_[id]) live -= bytes(root);
      if (!training_) continue;
      // A saved tensor counts as live until its last reader, and as saved afterwards.
      for (const ValueId value : saved_tensors(node)) is_saved[storage_[value]] = true;
      for (const ValueId root : dying_[id]) saved += is_saved[root] ? bytes(root) : 0;
      saved += saved_beside_tensors(network_, node, batch_);
      saved_until[id] = saved;
    }
    if (!training_) return most;
    for (NodeId id = 0; id < network_.nodes.size(); ++id)
      most = std::max(most, permanent() + saved_until[id] + gradients(id) + workspace(network_.nodes[id]));
    return most;
  }

 private:
  double bytes(ValueId id) const {
    const graph::Value& value = network_.values[id];
    // A parameter counts as a weight.
    if (fusion_.on_chip[id] ||
        std::holds_alternative<graph::Parameter>(network_.nodes[value.producer].operation))
      return 0;
    const auto elements = static_cast<double>(value.shape.elements(batch_).exact());
    return elements * (graph::is_floating(value.type)
                           ? stored_bytes(value.type, precision_)
                           : static_cast<double>(graph::bytes_of(8, value.type).exact()) / 8);
  }
  // Of a tensor that is neither a view nor permanent.
  double own_bytes(ValueId id) const { return storage_[id] == id && !permanent_[id] ? bytes(id) : 0; }

  bool is_view(NodeId id) const {
    const graph::Operation& operation = network_.nodes[id].operation;
    if (network_.nodes[id].inputs.empty()) return false;
    if (std::holds_alternative<graph::Transpose>(operation)) return fusion_.no_launch[id];
    // A reshape of an expanded tensor (keys repeated for groups of queries) copies it.
    if (std::holds_alternative<graph::Reshape>(operation)) {
      const ValueId input = network_.nodes[id].inputs[0];
      return bytes(input) <= bytes(storage_[input]);
    }
    return std::holds_alternative<graph::Identity>(operation) ||
           std::holds_alternative<graph::Split>(operation) ||
           std::holds_alternative<graph::Slice>(operation) ||
           std::holds_alternative<graph::Expand>(operation) ||
           (std::holds_alternative<graph::Dropout>(operation) && !training_);
  }

  // The tensor whose memory each value shares.
  void find_storage() {
    storage_.resize(network_.values.size());
    std::iota(storage_.begin(), storage_.end(), ValueId{0});
    for (NodeId id = 0; id < network_.nodes.size(); ++id) {
      const graph::Node& node = network_.nodes[id];
      if (!is_view(id) && !runs_in_place(node)) continue;
      for (const ValueId value : node.outputs) storage_[value] = storage_[node.inputs[0]];
    }
  }

  // Only if nothing else reads the input, and it is not the caller's.
  bool runs_in_place(const graph::Node& node) const {
    if (!works_in_place(node.operation)) return false;
    const ValueId input = node.inputs[0];
    return reads_[input] == 1 && !is_input(network_.nodes[network_.values[input].producer]);
  }
  static bool is_input(const graph::Node& node) {
    return std::holds_alternative<graph::Input>(node.operation);
  }
  // Heads that exist in training only.
  bool is_absent(const graph::Node& node) const {
    return !training_ && network_.layers[node.layer].training_only;
  }

  void count_reads() {
    reads_.resize(network_.values.size());
    for (const graph::Node& node : network_.nodes) {
      for (const ValueId value : node.inputs) ++reads_[value];
    }
    for (const ValueId value : network_.outputs) ++reads_[value];
  }

  void find_last_readers() {
    permanent_.resize(network_.values.size());
    dying_.resize(network_.nodes.size());
    std::vector<NodeId> last(network_.values.size());
    for (NodeId id = 0; id < network_.nodes.size(); ++id) {
      const graph::Node& node = network_.nodes[id];
      if (is_absent(node)) continue;
      for (const ValueId value : node.inputs) last[storage_[value]] = id;
      for (const ValueId value : node.outputs) {
        last[storage_[value]] = id;
        // The rows of a topology file are run one by one, each with its own input.
        if (is_input(node) && !network_.independent_layers) permanent_[storage_[value]] = true;
      }
    }
    for (const ValueId value : network_.outputs) permanent_[storage_[value]] = true;
    for (const graph::Node& node : network_.nodes) {
      if (is_absent(node)) continue;
      for (const ValueId value : node.outputs) {
        if (storage_[value] == value && !permanent_[value]) dying_[last[value]].push_back(value);
      }
    }
  }

  double permanent() const {
    double sum = 0;
    for (ValueId value = 0; value < network_.values.size(); ++value) {
      if (permanent_[value] && storage_[value] == value) sum += bytes(value);
    }
    return sum;
  }

  // Channels-last copies of a convolution.
  double workspace(const graph::Node& node) const {
    const auto* convolution = std::get_if<graph::Convolution>(&node.operation);
    if (precision_ != Precision::tf32 || convolution == nullptr ||
        graph::is_depthwise(*convolution, network_.values[node.inputs[0]].shape))
      return 0;
    return bytes(node.inputs[0]) + bytes(node.outputs[0]);
  }

  // Of the backward pass of one node.
  double gradients(NodeId id) const {
    if (is_view(id)) return 0;
    double sum = 0;
    for (const ValueId value : network_.nodes[id].outputs) sum += bytes(value);
    for (const ValueId value : network_.nodes[id].inputs) sum += permanent_[value] ? 0 : bytes(value);
    return sum;
  }

  const graph::Network& network_;
  const Fusion& fusion_;
  std::int64_t batch_;
  bool training_;
  Precision precision_;
  std::vector<int> reads_;                   // by value
  std::vector<ValueId> storage_;             // by value: the tensor whose memory it shares
  std::vector<bool> permanent_;              // by tensor: an input or output of the network
  std::vector<std::vector<ValueId>> dying_;  // by node: tensors that no later node reads
};

}  // namespace

Bytes activation_memory(const graph::Network& network, const Fusion& fusion, std::int64_t batch,
                        graph::Mode mode, Precision precision) {
  return Bytes{Timeline(network, fusion, batch, mode, precision).peak()};
}

}  // namespace ergon::device
