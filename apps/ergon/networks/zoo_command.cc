#include <memory>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "graph/zoo/listing.h"
#include "networks/network_commands.h"
#include "report/network_json.h"
#include "report/text_table.h"

namespace ergon::app {
namespace {

using Json = nlohmann::ordered_json;

struct ZooSettings {
  std::string family;
};

Result<int> list(const ZooSettings& settings, Shell& shell) {
  using report::Align;
  const auto listings = graph::zoo::listings(settings.family);
  if (!listings) return listings.error();
  report::TextTable shown({{"network"},
                           {"input", Align::right, 1},
                           {"layers", Align::right, 4},
                           {"depth", Align::right, 2},
                           {"neurons", Align::right, 3},
                           {"parameters", Align::right},
                           {"MACs", Align::right}});
  Json networks = Json::array();
  for (const graph::zoo::Listing& each : *listings) {
    networks.push_back(report::zoo_json(each));
    shown.row({each.entry->family + "/" + each.entry->name, graph::sizes_text(each.input),
               std::to_string(each.totals.layers), std::to_string(each.depth), grouped_digits(each.neurons),
               grouped_digits(each.totals.sum.parameters), grouped_digits(each.totals.sum.macs)});
  }
  const auto printed = shell.json ? shell.print_document("ergon.zoo/1", {}, {{"networks", networks}})
                                  : shell.print_report(shown.text(shell.table_style()));
  if (!printed) return printed.error();
  return kExitDone;
}

}  // namespace

Command zoo_command() {
  return {
      .name = "zoo",
      .summary = "list the built-in networks",
      .description =
          "Input and costs are per sample. Depth is the number of convolutions and dense layers on the "
          "longest "
          "path. Neurons are the output elements of all layers, including the input; for caffe/alexnet, of "
          "convolutions and dense layers only; for bit/*, the published figure (docs/costs.md). A name "
          "without a "
          "family means the first network of that name in this list.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<ZooSettings>();
        options.text("--family", settings->family, "NAME",
                     "list one family only, for example keras (default: all)");
        return [settings](Shell& shell) { return list(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
