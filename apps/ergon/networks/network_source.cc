#include "networks/network_source.h"

#include <filesystem>

#include <fmt/format.h>

#include "base/file.h"
#include "base/text.h"
#include "graph/idioms/idioms.h"
#include "graph/onnx/onnx.h"
#include "graph/topology.h"
#include "graph/zoo/zoo.h"

namespace ergon::app {
namespace {

bool ends_with(const std::string& text, std::string_view end) { return lower(text).ends_with(end); }

bool is_onnx(const std::string& where) { return ends_with(where, ".onnx"); }
bool is_topology(const std::string& where) { return ends_with(where, ".csv"); }

Options::Parser whole_number(const std::string& name, std::optional<std::int64_t>& target) {
  return [name, &target](std::string_view text) -> Result<> {
    const auto number = parse_int64(text);
    // The limit keeps products of two such numbers within 64 bits.
    constexpr std::int64_t kMax = std::int64_t{1} << 31;
    if (!number || *number < 1 || *number > kMax) {
      return fail(Errc::invalid_input, "{}: \"{}\" is not a whole number from 1 to {}", name, printable(text),
                  kMax);
    }
    target = *number;
    return {};
  };
}

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

void NetworkSource::declare(Options& options, bool required) {
  const char* const help = "network: a zoo name, an .onnx file or a topology .csv file";
  if (required) {
    options.argument("NET", where, help);
  } else {
    options.optional_argument("NET", where, help);
  }
  options.parsed("--size", "N", "image side in pixels (zoo networks)", whole_number("--size", size));
  options.parsed("--sequence", "N", "tokens per sequence (zoo language models)",
                 whole_number("--sequence", sequence));
  options.list("--dim", dimensions, "NAME=N", "size of a symbolic dimension of an .onnx file");
  options.flag("--strict", strict, "fail on .onnx operations of unknown cost");
}

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
  const auto fits = is_topology(where) ? check_for_topology(where)
                    : is_onnx(where)   ? check_without_zoo(where)
                                       : check_without_onnx(where);
  if (!fits) return fits.error();
  if (is_onnx(where)) {
    const auto options = import_options(*this);
    if (!options) return options.error();
    return graph::onnx::import_onnx_file(where, *options);
  }
  if (is_topology(where)) {
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
  return network && is_onnx(where) ? graph::fuse_idioms(*network) : network;
}

Result<graph::onnx::ImportedModel> NetworkSource::load_with_weights() const {
  if (is_onnx(where)) {
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
  if (is_onnx(where) || is_topology(where)) return {where};
  return {};
}

void CostSettings::declare(Options& options) {
  options.parsed("--batch", "N", "samples per iteration (default: 1, or the file's)",
                 whole_number("--batch", batch));
  options.choice("--mode", mode, {"inference", "training"}, "one forward pass, or forward and backward pass");
}

void CostSettings::declare_briefly(Options& options) {
  options.parsed("--batch", "N", "samples per iteration (default: 1, or the file's)",
                 whole_number("--batch", batch));
  options.choice("--mode", mode, "M", {"inference", "training"},
                 "inference or training (default: inference)");
}

std::int64_t CostSettings::batch_for(const graph::Network& network) const {
  if (batch) return *batch;
  return network.default_batch.value_or(1);
}

graph::Mode CostSettings::cost_mode() const {
  return mode == "training" ? graph::Mode::training : graph::Mode::inference;
}

}  // namespace ergon::app
