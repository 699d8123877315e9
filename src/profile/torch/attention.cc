#include "profile/torch/attention.h"

#include <torch/version.h>

#if TORCH_VERSION_MAJOR >= 2
#include <ATen/ops/scaled_dot_product_attention.h>
#else
#include <ATen/ops/_scaled_dot_product_attention.h>
#endif
#include <algorithm>
#include <numeric>

namespace ergon::profile::torch {
namespace {

// A factor of a matrix product: a value from outside the step, and the permutation of its axes.
struct Factor {
  graph::ValueId value = 0;
  std::vector<std::int64_t> order;

  at::Tensor of(const Registers& registers) const { return registers.values[value].permute(order); }
};

Factor trace(const graph::Network& network, const Step& step, graph::ValueId value) {
  std::vector<std::int64_t> order(network.values[value].shape.rank());
  std::iota(order.begin(), order.end(), 0);
  for (;;) {
    const graph::NodeId producer = network.values[value].producer;
    if (std::find(step.nodes.begin(), step.nodes.end(), producer) == step.nodes.end()) return {value, order};
    const graph::Node& node = network.nodes[producer];
    if (const auto* turn = std::get_if<graph::Transpose>(&node.operation)) {
      for (std::int64_t& axis : order) axis = turn->order[static_cast<std::size_t>(axis)];
    }
    value = node.inputs[0];
  }
}

at::Tensor attend(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, double dropout) {
#if TORCH_VERSION_MAJOR >= 2
  return at::scaled_dot_product_attention(q, k, v, std::nullopt, dropout, false);
#else
  return std::get<0>(at::_scaled_dot_product_attention(q, k, v, c10::nullopt, dropout, false, false));
#endif
}

}  // namespace

Kernel attention_kernel(const graph::Network& network, const Step& step) {
  const graph::Node& sum = network.nodes[step.nodes.back()];
  const auto scores = std::find_if(step.nodes.begin(), step.nodes.end(), [&](graph::NodeId id) {
    return std::holds_alternative<graph::MatrixProduct>(network.nodes[id].operation);
  });
  const graph::Node& product = network.nodes[*scores];
  const Factor query = trace(network, step, product.inputs[0]);
  Factor key = trace(network, step, product.inputs[1]);
  // The matrix product reads the keys transposed; the kernel takes them as rows.
  std::swap(key.order[key.order.size() - 1], key.order[key.order.size() - 2]);
  return [query, key, value = sum.inputs[1], output = step.output, dropout = step.dropout,
          flat = query.order.size() == 3](Registers& registers) {
    at::Tensor q = query.of(registers), k = key.of(registers), v = registers.values[value];
    if (flat) {
      registers.values[output] = attend(q.unsqueeze(0), k.unsqueeze(0), v.unsqueeze(0), dropout).squeeze(0);
    } else {
      registers.values[output] = attend(q, k, v, dropout);
    }
  };
}

}  // namespace ergon::profile::torch
