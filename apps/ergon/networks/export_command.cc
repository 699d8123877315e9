#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/text.h"
#include "graph/onnx/onnx.h"
#include "graph/topology.h"
#include "networks/network_commands.h"
#include "networks/network_source.h"

namespace ergon::app {
namespace {

struct ExportSettings {
  NetworkSource source;
  std::string target;
  std::string form;  // empty: default
};

Result<std::string> written(const graph::Network& network, const ExportSettings& settings) {
  const std::string name = lower(settings.target);
  if (name.ends_with(".onnx")) {
    if (!settings.form.empty())
      return fail(Errc::invalid_input, "--form applies to .csv files only, not to {}", settings.target);
    return graph::onnx::export_onnx(network);
  }
  if (!name.ends_with(".csv")) {
    return fail(Errc::invalid_input, "{}: expected a file name that ends in .onnx or .csv", settings.target);
  }
  const auto form =
      settings.form == "gemm" ? graph::TopologyForm::products : graph::TopologyForm::convolutions;
  const auto topology = graph::topology_of(network, form);
  if (!topology) return topology.error();
  return graph::to_csv(*topology);
}

Result<int> export_network(const ExportSettings& settings, Shell& shell) {
  const auto network = settings.source.load();
  if (!network) return network.error();
  const auto text = written(*network, settings);
  if (!text) return text.error();
  if (shell.stop().stop_requested()) return fail(Errc::cancelled, "interrupted; nothing was written");
  if (const auto stored = write_file(settings.target, *text); !stored) return stored.error();
  if (shell.json) {
    const nlohmann::ordered_json body = {
        {"network", network->name}, {"file", settings.target}, {"bytes", text->size()}};
    if (const auto printed = shell.print_document("ergon.export/1", settings.source.files(), body);
        !printed) {
      return printed.error();
    }
  } else {
    shell.note(fmt::format("wrote {} to {}", network->name, settings.target));
  }
  return kExitDone;
}

}  // namespace

Command export_command() {
  return {
      .name = "export",
      .summary = "write a network to an ONNX or topology file",
      .description =
          "An .onnx file has shapes but no weights. A .csv file is a SCALE-Sim topology file with the "
          "convolutions, dense layers and matrix products of the network; padding is part of the input.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<ExportSettings>();
        settings->source.declare(options);
        options.argument("FILE", settings->target, "output file: .onnx, or .csv for a topology file");
        options.choice("--form", settings->form, {"conv", "gemm"},
                       "rows of a .csv file: convolutions, or M, N, K (default: conv)");
        return [settings](Shell& shell) { return export_network(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
