#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "graph/zoo/zoo.h"
#include "networks/network_commands.h"
#include "report/text_table.h"

namespace ergon::app {
namespace {

using Json = nlohmann::ordered_json;
namespace zoo = graph::zoo;

struct ZooSettings {
  std::string family;
};

struct ZooRow {
  const zoo::Entry& entry;
  std::vector<std::int64_t> input;
  std::int64_t depth = 0;
  std::int64_t neurons = 0;
  graph::Totals totals;
};

Result<ZooRow> row_of(const zoo::Entry& entry) {
  const auto network = zoo::build(entry);
  if (!network) return network.error();
  const auto costs = graph::network_costs(*network, 1, graph::Mode::inference);
  if (!costs) return costs.error();
  const graph::Node& first = network->nodes.front();
  return ZooRow{entry, network->values[first.outputs[0]].shape.per_sample(), zoo::depth(*network),
                zoo::neurons(entry, *network, *costs), costs->totals};
}

Json row_json(const ZooRow& row) {
  const char* convention = row.entry.neurons == zoo::NeuronCount::every_layer ? "every_layer"
                           : row.entry.neurons == zoo::NeuronCount::weighted_only
                               ? "convolutions_and_dense_layers"
                               : "kernel_shapes_without_first_extent";
  return {{"name", row.entry.name},
          {"family", row.entry.family},
          {"input", row.input},
          {"layers", row.totals.layers},
          {"depth", row.depth},
          {"neurons", row.neurons},
          {"neurons_counted_by", convention},
          {"activations", row.totals.activations},
          {"params", row.totals.sum.parameters},
          {"trainable_params", row.totals.trainable},
          {"macs", row.totals.sum.macs}};
}

Result<int> list(const ZooSettings& settings, Shell& shell) {
  using report::Align;
  report::TextTable shown({{"network"},
                           {"input", Align::right, 1},
                           {"layers", Align::right, 4},
                           {"depth", Align::right, 2},
                           {"neurons", Align::right, 3},
                           {"parameters", Align::right},
                           {"MACs", Align::right}});
  Json networks = Json::array();
  std::vector<std::string> families;
  for (const zoo::Entry& entry : zoo::entries()) {
    if (families.empty() || families.back() != entry.family) families.push_back(entry.family);
    if (!settings.family.empty() && lower(settings.family) != entry.family) continue;
    const auto row = row_of(entry);
    if (!row) return row.error();
    networks.push_back(row_json(*row));
    shown.row({entry.family + "/" + entry.name, graph::sizes_text(row->input),
               std::to_string(row->totals.layers), std::to_string(row->depth), grouped_digits(row->neurons),
               grouped_digits(row->totals.sum.parameters), grouped_digits(row->totals.sum.macs)});
  }
  if (networks.empty()) {
    return fail(Errc::unknown_name, "unknown family \"{}\"{}; expected {}", printable(settings.family),
                suggestion(settings.family, families), fmt::join(families, ", "));
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
