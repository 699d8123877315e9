#include "systolic/array/layer.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/file.h"
#include "base/text.h"
#include "graph/zoo/zoo.h"

namespace ergon::systolic {
namespace {

Result<> add_layer(std::vector<Layer>& layers, const graph::TopologyConv& row) {
  const auto geometry = geometry_of(row);
  if (!geometry) return geometry.error();
  layers.push_back({row.name, *geometry});
  return {};
}

}  // namespace

Result<std::vector<Layer>> layers_of(const graph::Topology& topology, bool split_dp,
                                     const InputLimits& limits) {
  std::vector<Layer> layers;
  for (const graph::TopologyConv& row : topology.convolutions) {
    if (!split_dp || row.name.find("DP") == std::string::npos) {
      if (const auto added = add_layer(layers, row); !added) return added.error();
      continue;
    }
    if (static_cast<std::uint64_t>(row.channels) > limits.layers - std::min(limits.layers, layers.size())) {
      return fail(Errc::invalid_input,
                  "layer \"{}\": its name holds DP, which makes it {} layers of one channel; more than {} "
                  "layers; {}",
                  printable(row.name), row.channels, limits.layers, how_to_raise("layers", "N"));
    }
    for (std::int64_t channel = 0; channel < row.channels; ++channel) {
      graph::TopologyConv one = row;
      one.name = fmt::format("{}Channel_{}", row.name, channel);
      one.channels = 1;
      if (const auto added = add_layer(layers, one); !added) return added.error();
    }
  }
  for (const graph::TopologyGemm& row : topology.products) {
    if (const auto added = add_layer(layers, as_convolution(row)); !added) return added.error();
  }
  return layers;
}

Result<std::vector<Layer>> read_layers(const std::string& topology_file,
                                       std::optional<graph::TopologyForm> form) {
  const auto text = read_file(topology_file);
  if (!text) return text.error();
  const auto topology = graph::parse_topology(
      *text, topology_file,
      {.form = form, .fallback = graph::TopologyForm::convolutions, .repeated_names = true});
  if (!topology) return topology.error();
  auto layers = layers_of(*topology, true);
  if (!layers) return layers.error().in(topology_file);
  return layers;
}

Result<std::vector<Layer>> layers_of(const graph::Network& network, graph::TopologyForm form) {
  const auto topology = graph::topology_of(network, form);
  if (!topology) return topology.error();
  return layers_of(*topology, false);
}

Result<std::vector<Layer>> zoo_layers(std::string_view name) {
  const auto entry = graph::zoo::find(name);
  if (!entry) return entry.error();
  const auto network = graph::zoo::build(**entry, {});
  if (!network) return network.error();
  return layers_of(*network, graph::TopologyForm::convolutions);
}

}  // namespace ergon::systolic
