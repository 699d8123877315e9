#include "arrays/layer_source.h"

#include <filesystem>

#include "base/file.h"
#include "base/text.h"

namespace ergon::app {
namespace {

bool is_topology(const std::string& where) { return lower(where).ends_with(".csv"); }

}  // namespace

void LayerSource::declare(Options& options, Input input) {
  network.declare(options, input == Input::network);
  takes_topology_ = input == Input::network_or_topology;
  if (!takes_topology_) return;
  options.text("-t,--topology", topology_file, "FILE", "SCALE-Sim topology file, instead of NET");
  options.choice("-i,--input", form, {"conv", "gemm"}, "convolutions or matrix products");
}

graph::TopologyForm LayerSource::wanted_form() const {
  return form == "gemm" ? graph::TopologyForm::products : graph::TopologyForm::convolutions;
}

Result<std::vector<systolic::Layer>> LayerSource::load_topology(const std::string& file) const {
  if (const auto fits = network.check_for_topology(file); !fits) return fits.error();
  const auto text = read_file(file);
  if (!text) return text.error();
  graph::TopologyParseOptions reading{.repeated_names = true};
  if (!form.empty()) reading.form = wanted_form();
  reading.fallback = graph::TopologyForm::convolutions;
  const auto topology = graph::parse_topology(*text, file, reading);
  if (!topology) return topology.error();
  auto layers = systolic::layers_of(*topology, true);
  if (!layers) return layers.error().in(file);
  return layers;
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
  if (is_topology(network.where)) return load_topology(network.where);
  const auto loaded = network.load();
  if (!loaded) return loaded.error();
  const auto topology = graph::topology_of(*loaded, wanted_form());
  if (!topology) {
    const bool product = wanted_form() == graph::TopologyForm::convolutions &&
                         graph::topology_of(*loaded, graph::TopologyForm::products);
    if (!product) return topology.error();
    return fail(topology.error().kind, "{}; -i gemm runs it as a matrix product", topology.error().message);
  }
  return systolic::layers_of(*topology, false);
}

std::string LayerSource::name() const {
  const std::string where = topology_file.value_or(network.where);
  return is_topology(where) || lower(where).ends_with(".onnx") ? std::filesystem::path(where).stem().string()
                                                               : where;
}

std::vector<std::string> LayerSource::files() const {
  return topology_file ? std::vector{*topology_file} : network.files();
}

}  // namespace ergon::app
