#include "sources/network_source.h"

#include <filesystem>

#include <fmt/format.h>

#include "base/file.h"
#include "base/text.h"
#include "graph/idioms/idioms.h"
#include "graph/onnx/onnx.h"
#include "graph/topology.h"
#include "graph/zoo/zoo.h"
#include "sources/network_file.h"

namespace ergon::sources {
namespace {

Result<graph::onnx::ImportOptions> import_options(const NetworkSource& source) {
  graph::onnx::ImportOptions options;
  options.strict = source.strict;
  for (const std::string& given : source.dimensions) {
    const auto equals = given.rfind('=');
    const auto number = equals == std::string::npos ? std::nullopt : parse_int64(given.substr(equals + 1));
    if (!number || *number < 1 || equals == 0) {
      return fail(Errc::invalid_input, "--dim: \"{}\" is not NAME=N (example: height=224)", printable(given));
    }
    options.dimensions[given.substr(0, equals)] = *number;
  }
  return options;
}

Result<> only_for(const std::string& where, bool given, std::string_view option, std::string_view what) {
  if (!given) return {};
  return fail(Errc::invalid_input, "{} applies to {} only, not to {}", option, what, where);
}

}  // namespace

bool NetworkSource::is_onnx_file() const { return sources::is_onnx_file(where); }
bool NetworkSource::is_topology_file() const { return sources::is_topology_file(where); }

Result<> NetworkSource::check_without_zoo(const std::string& file) const {
  if (auto fits = only_for(file, size.has_value(), "--size", "zoo networks"); !fits) return fits;
  return only_for(file, sequence.has_value(), "--sequence", "zoo networks");
}

Result<> NetworkSource::check_without_onnx(const std::string& name) const {
  if (auto fits = only_for(name, !dimensions.empty(), "--dim", ".onnx files"); !fits) return fits;
  return only_for(name, strict, "--strict", ".onnx files");
}

Result<> NetworkSource::check_for_topology(const std::string& file) const {
  if (auto fits = check_without_zoo(file); !fits) return fits;
  return check_without_onnx(file);
}

Result<graph::Network> NetworkSource::load() const {
  const auto fits = is_topology_file() ? check_for_topology(where)
                    : is_onnx_file()   ? check_without_zoo(where)
                                       : check_without_onnx(where);
  if (!fits) return fits.error();
  if (is_onnx_file()) {
    const auto options = import_options(*this);
    if (!options) return options.error();
    return graph::onnx::import_onnx_file(where, *options);
  }
  if (is_topology_file()) {
    const auto text = read_file(where);
    if (!text) return text.error();
    const auto topology = graph::parse_topology(*text, where);
    if (!topology) return topology.error();
    return graph::network_of(*topology, std::filesystem::path(where).stem().string());
  }
  if (std::error_code ignored; std::filesystem::exists(where, ignored)) {
    return fail(Errc::invalid_input, "{}: expected a file that ends in .onnx or .csv", where);
  }
  const auto entry = graph::zoo::find(where);
  if (!entry) return entry.error();
  return graph::zoo::build(**entry, {size, sequence});
}

Result<graph::Network> NetworkSource::load_fused() const {
  auto network = load();
  return network && is_onnx_file() ? graph::fuse_idioms(*network) : network;
}

Result<graph::onnx::ImportedModel> NetworkSource::load_with_weights() const {
  if (is_onnx_file()) {
    if (auto fits = check_without_zoo(where); !fits) return fits.error();
    const auto options = import_options(*this);
    if (!options) return options.error();
    return graph::onnx::import_onnx_with_weights(where, *options);
  }
  auto network = load();
  if (!network) return network.error();
  return graph::onnx::ImportedModel{std::move(*network), std::nullopt, ""};
}

std::vector<std::string> NetworkSource::files() const {
  if (is_onnx_file() || is_topology_file()) return {where};
  return {};
}

}  // namespace ergon::sources
