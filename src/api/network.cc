#include <ergon/network.h>

#include <fmt/format.h>

#include "api/access.h"
#include "api/convert.h"
#include "base/text.h"
#include "graph/idioms/idioms.h"
#include "graph/summary.h"
#include "graph/zoo/zoo.h"
#include "profile/run_condition.h"

namespace ergon {
namespace {

// Fails if an option was given that does not apply to this kind of network.
Result<> check_options(const sources::NetworkSource& source, const NetworkOptions& options) {
  const auto refuse = [&](std::string_view option, std::string_view what) {
    return fail(Errc::invalid_input, "{} applies to {} only, not to {}", option, what,
                printable(source.where));
  };
  const bool onnx = source.is_onnx_file(), zoo = !onnx && !source.is_topology_file();
  if (options.image_size && !zoo) return refuse("image_size", "zoo networks");
  if (options.sequence && !zoo) return refuse("sequence", "zoo networks");
  if (!options.dimensions.empty() && !onnx) return refuse("dimensions", ".onnx files");
  if (options.strict && !onnx) return refuse("strict", ".onnx files");
  for (const auto& [name, size] : options.dimensions) {
    if (name.empty() || size < 1)
      return fail(Errc::invalid_input, "dimension \"{}\": {} is not a size of 1 or more", printable(name),
                  size);
  }
  return {};
}

Cost cost_of_costs(const graph::Costs& costs) {
  const auto size = [](std::int64_t count) { return Bytes{static_cast<double>(count)}; };
  return {.macs = costs.macs,
          .flops = costs.flops,
          .parameters = costs.parameters,
          .output_elements = costs.output_elements,
          .weights = size(costs.weight_bytes),
          .weights_moved = size(costs.weight_bytes_moved),
          .activations_read = size(costs.activation_bytes_read),
          .activations_written = size(costs.activation_bytes_written)};
}

std::string attributes_text(const graph::Node& node, const std::vector<graph::Shape>& shapes) {
  std::string text;
  for (const graph::Attribute& each : graph::attributes_of(node.operation, shapes))
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", each.name, graph::to_text(each.value));
  return text;
}

Result<OperationCost> operation_cost(const graph::Network& network, const graph::Node& node,
                                     const graph::CostOptions& options) {
  const auto costs = graph::cost_of(network, node, options);
  if (!costs) return costs.error();
  const auto shapes = network.input_shapes(node);
  OperationCost to;
  to.type = graph::kind_of(node.operation, shapes);
  to.attributes = attributes_text(node, shapes);
  for (const graph::Shape& shape : shapes) to.inputs.push_back(shape.at(options.batch));
  const auto* unknown = std::get_if<graph::Unknown>(&node.operation);
  to.known = unknown == nullptr;
  if (unknown == nullptr || unknown->shapes_known) {
    for (const graph::ValueId id : node.outputs)
      to.outputs.push_back(network.values[id].shape.at(options.batch));
  }
  to.cost = cost_of_costs(*costs);
  return to;
}

}  // namespace

std::string_view name_of(Mode mode) { return profile::name_of(api::mode_of(mode)); }
std::string_view name_of(Precision precision) { return device::name_of(api::precision_of(precision)); }

Network::Network(std::shared_ptr<const State> state) : state_(std::move(state)) {}

Result<Network> Network::load(const std::string& name_or_file, const NetworkOptions& options) {
  auto state = std::make_shared<State>();
  state->source.where = name_or_file;
  if (auto fits = check_options(state->source, options); !fits) return fits.error();
  state->source.size = options.image_size;
  state->source.sequence = options.sequence;
  for (const auto& [name, size] : options.dimensions)
    state->source.dimensions.push_back(fmt::format("{}={}", name, size));
  state->source.strict = options.strict;
  auto network = state->source.load();
  if (!network) return network.error();
  state->fused = state->source.is_onnx_file() ? graph::fuse_idioms(*network) : *network;
  state->network = std::move(*network);
  return Network(std::move(state));
}

const std::string& Network::name() const { return state_->network.name; }
const std::string& Network::family() const { return state_->network.family; }
std::optional<std::int64_t> Network::default_batch() const { return state_->network.default_batch; }
bool Network::batch_is_fixed() const { return state_->network.batch_is_fixed; }

Result<NetworkCost> Network::cost(std::int64_t batch, Mode mode) const {
  const graph::Network& network = state_->network;
  const bool training = mode == Mode::training;
  const auto costs = graph::network_costs(network, batch, api::mode_of(mode));
  if (!costs) return costs.error();
  NetworkCost to;
  to.batch = batch;
  to.mode = mode;
  to.total = cost_of_costs(costs->totals.sum);
  to.trainable_parameters = costs->totals.trainable;
  to.unknown = costs->unknown;
  const auto gradients = training ? graph::needs_input_gradient(network) : std::vector<bool>();
  for (const graph::LayerCosts& row : costs->layers) {
    const graph::Layer& layer = network.layers[row.layer];
    LayerCost& each = to.layers.emplace_back();
    each.name = layer.name;
    each.type = layer.type;
    for (const graph::LayerId input : network.inputs_of(row.layer))
      each.inputs.push_back(network.layers[input].name);
    for (graph::NodeId i = layer.first; i < layer.first + layer.count; ++i) {
      auto operation =
          operation_cost(network, network.nodes[i], {batch, api::mode_of(mode), training && gradients[i]});
      if (!operation) return operation.error();
      each.operations.push_back(std::move(*operation));
    }
    each.cost = cost_of_costs(row.costs);
  }
  return to;
}

std::vector<ZooNetwork> zoo_networks() {
  std::vector<ZooNetwork> all;
  for (const graph::zoo::Entry& entry : graph::zoo::entries()) {
    ZooNetwork& each = all.emplace_back();
    each.family = entry.family;
    each.name = entry.name;
    if (graph::zoo::takes_images(entry)) each.image_size = entry.default_input.size;
    if (graph::zoo::takes_tokens(entry)) each.sequence = entry.default_input.sequence;
  }
  return all;
}

}  // namespace ergon
