#include "graph/summary.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "base/text.h"

namespace ergon::graph {
namespace {

Result<> add(std::int64_t& sum, std::int64_t more) {
  const auto total = (Count(sum) + more).value();
  if (!total) return total.error();
  sum = *total;
  return {};
}

Result<> add(Costs& sum, const Costs& more) {
  static constexpr std::int64_t Costs::*kFields[] = {
      &Costs::macs,
      &Costs::flops,
      &Costs::parameters,
      &Costs::weight_bytes,
      &Costs::weight_bytes_moved,
      &Costs::activation_bytes_read,
      &Costs::activation_bytes_written,
      &Costs::output_elements,
  };
  for (const auto field : kFields) {
    if (auto added = add(sum.*field, more.*field); !added) return added;
  }
  const Count moved =
      Count(sum.weight_bytes_moved) + sum.activation_bytes_read + sum.activation_bytes_written;
  if (moved.overflowed()) return moved.value().error();
  return {};
}

Result<> check_batch(const Network& network, std::int64_t batch) {
  if (batch < 1) return fail(Errc::invalid_input, "invalid batch {}: expected at least 1", batch);
  if (network.batch_is_fixed && network.default_batch.value_or(1) != batch) {
    return fail(Errc::invalid_input, "{} runs at batch {} only: its shapes fix the batch", network.name,
                network.default_batch.value_or(1));
  }
  return {};
}

Error in_layer(const Error& error, const Network& network, const Layer& layer) {
  return error.in(
      fmt::format("{}: layer \"{}\" ({})", network.name, printable(layer.name), printable(layer.type)));
}

// A product with a learned tensor counts as dense, even if the tensor is a Parameter operation.
MacType mac_type_in(const Network& network, const Node& node) {
  const MacType type = mac_type(node.operation, network.values[node.inputs[0]].shape);
  if (type != MacType::matmul) return type;
  const bool learned = std::any_of(node.inputs.begin(), node.inputs.end(), [&](ValueId id) {
    return std::holds_alternative<Parameter>(network.nodes[network.values[id].producer].operation);
  });
  return learned ? MacType::dense : MacType::matmul;
}

Result<> add_node(Totals& totals, const Network& network, const Node& node, const Costs& costs) {
  if (auto added = add(totals.sum, costs); !added) return added;
  for (const Weight& weight : node.weights) {
    if (weight.shared) continue;
    const std::int64_t elements = weight.elements().exact();
    if (weight.trainable()) totals.trainable += elements;
    if (weight.role == WeightRole::kernel) totals.kernel_weights += elements;
  }
  if (costs.macs > 0) totals.macs[mac_type_in(network, node)] += costs.macs;
  return {};
}

}  // namespace

std::vector<bool> needs_input_gradient(const Network& network) {
  std::vector<bool> learned(network.values.size(), false);
  std::vector<bool> needs_gradient(network.nodes.size(), false);
  for (std::size_t i = 0; i < network.nodes.size(); ++i) {
    const Node& node = network.nodes[i];
    needs_gradient[i] =
        std::any_of(node.inputs.begin(), node.inputs.end(), [&](ValueId id) { return learned[id]; });
    // Independent layers are treated as a chain: all but the first compute the gradient of their input.
    if (network.independent_layers) needs_gradient[i] = node.layer > 0;
    const bool learns = std::any_of(node.weights.begin(), node.weights.end(),
                                    [](const Weight& weight) { return weight.trainable(); });
    for (const ValueId id : node.outputs) learned[id] = needs_gradient[i] || learns;
  }
  return needs_gradient;
}

Result<NetworkCosts> network_costs(const Network& network, std::int64_t batch, Mode mode) {
  if (const auto good = check_batch(network, batch); !good) return good.error();
  NetworkCosts result;
  const auto needs_gradient = mode == Mode::training ? needs_input_gradient(network) : std::vector<bool>();
  for (LayerId id = 0; id < network.layers.size(); ++id) {
    const Layer& layer = network.layers[id];
    if (layer.training_only && mode == Mode::inference) continue;
    LayerCosts row{id, {}};
    for (NodeId i = layer.first; i < layer.first + layer.count; ++i) {
      const Node& node = network.nodes[i];
      const auto costs = cost_of(network, node, {batch, mode, mode == Mode::training && needs_gradient[i]});
      if (!costs) return in_layer(costs.error(), network, layer);
      auto added = add(row.costs, *costs);
      if (added) added = add_node(result.totals, network, node, *costs);
      if (!added) return in_layer(added.error(), network, layer);
      if (const auto* unknown = std::get_if<Unknown>(&node.operation)) {
        ++result.unknown[unknown->domain.empty() ? unknown->type : unknown->domain + "." + unknown->type];
      }
    }
    // A layer's output is that of its last operation.
    const auto* last = std::get_if<Unknown>(&network.nodes[layer.first + layer.count - 1].operation);
    const bool known = last == nullptr || last->shapes_known;
    row.costs.output_elements = known ? network.output_of(layer).shape.elements(batch).exact() : 0;
    if (const auto added = add(result.totals.activations, row.costs.output_elements); !added) {
      return in_layer(added.error(), network, layer);
    }
    result.layers.push_back(row);
  }
  result.totals.layers = static_cast<std::int64_t>(result.layers.size());
  return result;
}

Result<std::vector<UniqueOperation>> unique_operations(const Network& network, std::int64_t batch,
                                                       Mode mode) {
  if (const auto good = check_batch(network, batch); !good) return good.error();
  std::vector<UniqueOperation> found;
  std::unordered_map<std::string, std::size_t> indices;
  const auto needs_gradient = mode == Mode::training ? needs_input_gradient(network) : std::vector<bool>();
  for (NodeId i = 0; i < network.nodes.size(); ++i) {
    const Node& node = network.nodes[i];
    const Layer& layer = network.layers[node.layer];
    if (std::holds_alternative<Input>(node.operation)) continue;
    if (layer.training_only && mode == Mode::inference) continue;

    UniqueOperation operation;
    operation.example = i;
    operation.inputs = network.input_shapes(node);
    operation.kind = kind_of(node.operation, operation.inputs);
    operation.attributes = attributes_of(node.operation, operation.inputs);
    operation.type = network.values[node.outputs.empty() ? node.inputs[0] : node.outputs[0]].type;
    operation.needs_input_gradient = mode == Mode::training && needs_gradient[i];
    std::string key = operation.kind;
    for (const Attribute& attribute : operation.attributes) {
      key += fmt::format("|{}={}", attribute.name, to_text(attribute.value));
    }
    for (const Shape& shape : operation.inputs) key += to_text(shape);
    for (const ValueId id : node.inputs) key += name_of(network.values[id].type);
    key += fmt::format("|{}|{}", name_of(operation.type), operation.needs_input_gradient);

    const auto [entry, inserted] = indices.emplace(std::move(key), found.size());
    if (inserted) {
      auto costs = cost_of(network, node, {batch, mode, operation.needs_input_gradient});
      if (!costs) return in_layer(costs.error(), network, layer);
      operation.each = *costs;
      found.push_back(std::move(operation));
    }
    ++found[entry->second].count;
    found[entry->second].nodes.push_back(i);
  }
  return found;
}

}  // namespace ergon::graph
