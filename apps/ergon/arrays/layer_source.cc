#include "arrays/layer_source.h"

#include <filesystem>

#include "base/text.h"

namespace ergon::app {

void LayerSource::declare(Options& options, Input input) {
  declare_network(options, network, input == Input::network);
  takes_topology_ = input == Input::network_or_topology;
  if (!takes_topology_) return;
  options.text("-t,--topology", topology_file, "FILE", "SCALE-Sim topology file, instead of NET");
  options.enumeration("-i,--input", form, graph::kTopologyForms, "convolutions or matrix products");
}

Result<std::vector<systolic::Layer>> LayerSource::load_topology(const std::string& file) const {
  if (const auto fits = network.check_for_topology(file); !fits) return fits.error();
  return systolic::read_layers(file, form);
}

Result<std::vector<systolic::Layer>> LayerSource::load_network() const {
  using graph::TopologyForm;
  const auto loaded = network.load();
  if (!loaded) return loaded.error();
  const TopologyForm wanted = form.value_or(TopologyForm::convolutions);
  auto layers = systolic::layers_of(*loaded, wanted);
  const bool other_form_helps = takes_topology_ && !layers && wanted == TopologyForm::convolutions &&
                                systolic::layers_of(*loaded, TopologyForm::products);
  if (!other_form_helps) return layers;
  return fail(layers.error().kind, "{}; -i gemm runs it as a matrix product", layers.error().message);
}

Result<std::vector<systolic::Layer>> LayerSource::load() const {
  if (topology_file && !network.where.empty()) {
    return fail(Errc::invalid_input, "NET and -t exclude each other (\"{}\" and -t {})",
                printable(network.where), *topology_file);
  }
  if (topology_file) return load_topology(*topology_file);
  if (network.where.empty()) {
    return fail(Errc::invalid_input, "no network given; expected NET{}",
                takes_topology_ ? ", or -t FILE" : "");
  }
  return network.is_topology_file() ? load_topology(network.where) : load_network();
}

std::string LayerSource::name() const {
  NetworkSource named;
  named.where = topology_file.value_or(network.where);
  return named.files().empty() ? named.where : std::filesystem::path(named.where).stem().string();
}

std::vector<std::string> LayerSource::files() const {
  return topology_file ? std::vector{*topology_file} : network.files();
}

}  // namespace ergon::app
