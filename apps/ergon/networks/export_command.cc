#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "networks/network_commands.h"
#include "networks/network_options.h"
#include "sources/network_target.h"

namespace ergon::app {
namespace {

struct ExportSettings {
  NetworkSource source;
  sources::NetworkTarget target;
};

Result<int> export_network(const ExportSettings& settings, Shell& shell) {
  const auto network = settings.source.load();
  if (!network) return network.error();
  const auto text = settings.target.contents(*network);
  if (!text) return text.error();
  if (shell.stop().stop_requested()) return fail(Errc::cancelled, "interrupted; nothing was written");
  if (const auto stored = write_file(settings.target.file, *text); !stored) return stored.error();
  if (shell.json) {
    const nlohmann::ordered_json body = {
        {"network", network->name}, {"file", settings.target.file}, {"bytes", text->size()}};
    if (const auto printed = shell.print_document("ergon.export/1", settings.source.files(), body);
        !printed) {
      return printed.error();
    }
  } else {
    shell.note(fmt::format("wrote {} to {}", network->name, settings.target.file));
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
        declare_network(options, settings->source);
        options.argument("FILE", settings->target.file, "output file: .onnx, or .csv for a topology file");
        options.enumeration("--form", settings->target.form, graph::kTopologyForms,
                            "rows of a .csv file: convolutions, or M, N, K (default: conv)");
        return [settings](Shell& shell) { return export_network(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
