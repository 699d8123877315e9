#include "report/network_json.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace ergon::report {
namespace {

using Json = nlohmann::ordered_json;

std::int64_t macs_of(const graph::Totals& totals, graph::MacType type) {
  const auto found = totals.macs.find(type);
  return found == totals.macs.end() ? 0 : found->second;
}

Json attributes_json(const std::vector<graph::Attribute>& attributes) {
  Json json = Json::object();
  for (const graph::Attribute& attribute : attributes) {
    std::visit([&](const auto& value) { json[std::string(attribute.name)] = value; }, attribute.value);
  }
  return json;
}

// The main operation of a layer: the one with a kernel, or the first.
const graph::Node& main_node(const graph::Network& network, const graph::Layer& layer) {
  const auto first = network.nodes.begin() + layer.first;
  const auto last = first + layer.count;
  const auto weighted = std::find_if(first, last, [](const graph::Node& node) {
    return !node.weights.empty() && node.weights[0].role == graph::WeightRole::kernel;
  });
  if (weighted != last) return *weighted;
  // The first operation of an independent layer is its input.
  return layer.count > 1 && std::holds_alternative<graph::Input>(first->operation) ? *(first + 1) : *first;
}

void add_costs(Json& json, const graph::Costs& costs) {
  json["flops"] = costs.flops;
  json["weight_bytes"] = costs.weight_bytes;
  json["weight_bytes_moved"] = costs.weight_bytes_moved;
  json["activation_bytes_read"] = costs.activation_bytes_read;
  json["activation_bytes_written"] = costs.activation_bytes_written;
  json["output_elements"] = costs.output_elements;
  json["intensity_flops_per_byte"] = costs.intensity();
}

}  // namespace

Json totals_json(const graph::Totals& totals) {
  using graph::MacType;
  const graph::Costs& sum = totals.sum;
  return {{"params", sum.parameters},
          {"trainable_params", totals.trainable},
          {"kernel_weights", totals.kernel_weights},
          {"macs", sum.macs},
          {"macs_by_type",
           {{"conv", macs_of(totals, MacType::conv)},
            {"depthwise", macs_of(totals, MacType::depthwise)},
            {"dense", macs_of(totals, MacType::dense)},
            {"matmul", macs_of(totals, MacType::matmul)}}},
          {"flops", sum.flops},
          {"activations", totals.activations},
          {"layers", totals.layers},
          {"weight_bytes", sum.weight_bytes},
          {"weight_bytes_moved", sum.weight_bytes_moved},
          {"activation_bytes", sum.activation_bytes()},
          {"activation_bytes_read", sum.activation_bytes_read},
          {"activation_bytes_written", sum.activation_bytes_written},
          {"intensity_flops_per_byte", sum.intensity()}};
}

Json layers_json(const graph::Network& network, const graph::NetworkCosts& costs) {
  Json rows = Json::array();
  for (const graph::LayerCosts& row : costs.layers) {
    const graph::Layer& layer = network.layers[row.layer];
    const graph::Node& node = main_node(network, layer);
    const auto shapes = network.input_shapes(node);
    const auto sizes = network.output_sizes(layer);
    Json inputs = Json::array();
    for (const graph::LayerId input : network.inputs_of(row.layer))
      inputs.push_back(network.layers[input].name);
    Json json = {{"name", layer.name},
                 {"type", layer.type},
                 {"operation", graph::kind_of(node.operation, shapes)},
                 {"output_shape", sizes ? Json(*sizes) : Json(nullptr)},
                 {"params", row.costs.parameters},
                 {"macs", row.costs.macs},
                 {"inputs", std::move(inputs)},
                 {"attributes", attributes_json(graph::attributes_of(node.operation, shapes))}};
    add_costs(json, row.costs);
    if (layer.training_only) json["training_only"] = true;
    rows.push_back(std::move(json));
  }
  return rows;
}

Json operations_json(const std::vector<graph::UniqueOperation>& operations, std::int64_t batch) {
  Json rows = Json::array();
  for (const graph::UniqueOperation& operation : operations) {
    Json shapes = Json::array();
    for (const graph::Shape& shape : operation.inputs) shapes.push_back(shape.at(batch));
    Json json = {{"type", operation.kind},
                 {"attributes", attributes_json(operation.attributes)},
                 {"input_shapes", std::move(shapes)},
                 {"element_type", std::string(graph::name_of(operation.type))},
                 {"count", operation.count},
                 {"params", operation.each.parameters},
                 {"macs", operation.each.macs},
                 {"bytes", operation.each.bytes_moved()}};
    add_costs(json, operation.each);
    rows.push_back(std::move(json));
  }
  return rows;
}

Json inspect_json(const graph::Network& network, const graph::NetworkCosts& costs,
                  const std::vector<graph::UniqueOperation>& operations, const InspectConfig& config) {
  Json inputs = Json::array();
  for (const graph::Node& node : network.nodes) {
    if (!std::holds_alternative<graph::Input>(node.operation) || network.independent_layers) continue;
    inputs.push_back({{"name", network.layers[node.layer].name},
                      {"shape", network.values[node.outputs[0]].shape.per_sample()},
                      {"element_type", graph::name_of(network.values[node.outputs[0]].type)}});
  }
  Json unknown = Json::array();
  for (const auto& [name, count] : costs.unknown) unknown.push_back({{"operation", name}, {"count", count}});
  return {{"network", network.name},
          {"family", network.family},
          {"inputs", std::move(inputs)},
          {"batch", config.batch},
          {"batch_is_fixed", network.batch_is_fixed},
          {"mode", name_of(config.mode)},
          {"totals", totals_json(costs.totals)},
          {"unknown_operations", std::move(unknown)},
          {"layers", layers_json(network, costs)},
          {"operations", operations_json(operations, config.batch)}};
}

Json zoo_json(const graph::zoo::Listing& listing) {
  return {{"name", listing.entry->name},
          {"family", listing.entry->family},
          {"input", listing.input},
          {"layers", listing.totals.layers},
          {"depth", listing.depth},
          {"neurons", listing.neurons},
          {"neurons_counted_by", name_of(listing.entry->neurons)},
          {"activations", listing.totals.activations},
          {"params", listing.totals.sum.parameters},
          {"trainable_params", listing.totals.trainable},
          {"macs", listing.totals.sum.macs}};
}

}  // namespace ergon::report
