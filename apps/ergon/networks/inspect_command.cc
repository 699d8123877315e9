#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "base/units_text.h"
#include "graph/operation_types.h"
#include "networks/network_commands.h"
#include "networks/network_options.h"
#include "report/network_json.h"
#include "report/text_table.h"

namespace ergon::app {
namespace {

using report::Align;

struct InspectSettings {
  NetworkSource source;
  CostSettings cost;
  bool layers = false;
  bool operations = false;
};

std::string bytes_text(std::int64_t count) { return to_text(bytes(static_cast<std::uint64_t>(count))); }

std::string intensity_text(const graph::Costs& costs) {
  return costs.bytes_moved() == 0 ? "" : fmt::format("{:.1f}", costs.intensity());
}

std::string share_text(std::int64_t part, std::int64_t whole) {
  if (part == 0 || whole == 0) return "";
  return fmt::format("{:.1f}%", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string input_text(const graph::Network& network) {
  if (network.independent_layers) return "independent layers";
  std::vector<std::string> inputs;
  for (const graph::Node& node : network.nodes) {
    if (!std::holds_alternative<graph::Input>(node.operation)) continue;
    inputs.push_back(graph::sizes_text(network.values[node.outputs[0]].shape.per_sample()));
  }
  if (inputs.size() > 4) return fmt::format("{} inputs", inputs.size());
  return fmt::format("input {}", fmt::join(inputs, " and "));
}

struct TotalsLine {
  std::string_view name;
  std::string value;
  std::string remark;
};

std::vector<TotalsLine> macs_by_type(const graph::Totals& totals) {
  static constexpr std::pair<graph::MacType, const char*> kTypes[] = {
      {graph::MacType::conv, "  convolutions"},
      {graph::MacType::depthwise, "  depthwise"},
      {graph::MacType::dense, "  dense"},
      {graph::MacType::matmul, "  matrix products"}};
  std::vector<TotalsLine> lines;
  for (const auto& [type, name] : kTypes) {
    const auto found = totals.macs.find(type);
    if (found == totals.macs.end()) continue;
    lines.push_back({name, grouped_digits(found->second), share_text(found->second, totals.sum.macs)});
  }
  return lines;
}

std::string totals_text(const graph::Network& network, const graph::Totals& totals,
                        const InspectSettings& settings) {
  const graph::Costs& sum = totals.sum;
  const std::int64_t batch = settings.cost.batch_for(network);
  std::string text = fmt::format("{} ({}): {}, batch {}, {}\n\n", network.name, network.family,
                                 input_text(network), batch, name_of(settings.cost.mode));
  std::vector<TotalsLine> lines = {
      {"layers", grouped_digits(totals.layers), ""},
      {"parameters", grouped_digits(sum.parameters),
       fmt::format("{} trainable, {}", grouped_digits(totals.trainable), bytes_text(sum.weight_bytes))},
      {"MACs", grouped_digits(sum.macs), ""},
  };
  for (TotalsLine& line : macs_by_type(totals)) lines.push_back(std::move(line));
  const std::vector<TotalsLine> rest = {
      {"FLOPs", grouped_digits(sum.flops), ""},
      {"activations", grouped_digits(totals.activations), "output elements of all layers"},
      {"memory traffic", bytes_text(sum.bytes_moved()), ""},
      {"  activations read", bytes_text(sum.activation_bytes_read), ""},
      {"  activations written", bytes_text(sum.activation_bytes_written), ""},
      {"  weights", bytes_text(sum.weight_bytes_moved), ""},
      {"arithmetic intensity", fmt::format("{:.1f} FLOP/B", sum.intensity()), ""},
  };
  lines.insert(lines.end(), rest.begin(), rest.end());
  std::size_t width = 0;
  for (const TotalsLine& line : lines) width = std::max(width, line.value.size());
  for (const TotalsLine& line : lines) {
    text += fmt::format("{:<21}  {:>{}}{}{}\n", line.name, line.value, width, line.remark.empty() ? "" : "  ",
                        line.remark);
  }
  return text;
}

std::string by_type_text(const std::vector<graph::UniqueOperation>& operations, const graph::Totals& totals,
                         const report::TableStyle& style) {
  report::TextTable shown({{"operation"},
                           {"count", Align::right, 1},
                           {"MACs", Align::right},
                           {"MAC share", Align::right, 2},
                           {"traffic", Align::right},
                           {"traffic share", Align::right, 3},
                           {"FLOP/B", Align::right, 4}});
  for (const graph::OperationTypeSum& sum : graph::sums_by_type(operations)) {
    const std::string intensity = sum.bytes_moved == 0 ? "" : fmt::format("{:.1f}", sum.intensity());
    shown.row({sum.kind, grouped_digits(sum.count), sum.macs == 0 ? "" : grouped_digits(sum.macs),
               share_text(sum.macs, totals.sum.macs), sum.bytes_moved == 0 ? "" : bytes_text(sum.bytes_moved),
               share_text(sum.bytes_moved, totals.sum.bytes_moved()), intensity});
  }
  return shown.text(style);
}

std::string layers_text(const graph::Network& network, const graph::NetworkCosts& costs,
                        const report::TableStyle& style) {
  report::TextTable shown({{"layer"},
                           {"type", Align::left, 2},
                           {"output", Align::right, 1},
                           {"parameters", Align::right, 3},
                           {"MACs", Align::right},
                           {"traffic", Align::right},
                           {"FLOP/B", Align::right, 4}});
  for (const graph::LayerCosts& row : costs.layers) {
    const graph::Layer& layer = network.layers[row.layer];
    const auto sizes = network.output_sizes(layer);
    shown.row({printable(layer.name), printable(layer.type), sizes ? graph::sizes_text(*sizes) : "?",
               row.costs.parameters == 0 ? "" : grouped_digits(row.costs.parameters),
               row.costs.macs == 0 ? "" : grouped_digits(row.costs.macs),
               row.costs.bytes_moved() == 0 ? "" : bytes_text(row.costs.bytes_moved()),
               intensity_text(row.costs)});
  }
  return shown.text(style);
}

std::string attributes_text(const std::vector<graph::Attribute>& attributes) {
  std::string text;
  for (const graph::Attribute& attribute : attributes) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", attribute.name, graph::to_text(attribute.value));
  }
  return printable(text, 90);
}

std::string operations_text(const std::vector<graph::UniqueOperation>& operations, std::int64_t batch,
                            const report::TableStyle& style) {
  report::TextTable shown({{"operation"},
                           {"count", Align::right},
                           {"inputs", Align::left, 1},
                           {"MACs each", Align::right},
                           {"traffic each", Align::right, 2},
                           {"FLOP/B", Align::right, 3},
                           {"attributes", Align::left, 4}});
  for (const graph::UniqueOperation& operation : operations) {
    std::vector<std::string> inputs;
    for (const graph::Shape& shape : operation.inputs) inputs.push_back(graph::sizes_text(shape.at(batch)));
    if (inputs.size() > 3) inputs = {inputs[0], fmt::format("{} more", inputs.size() - 1)};
    shown.row({operation.kind, std::to_string(operation.count), fmt::format("{}", fmt::join(inputs, " ")),
               operation.each.macs == 0 ? "" : grouped_digits(operation.each.macs),
               operation.each.bytes_moved() == 0 ? "" : bytes_text(operation.each.bytes_moved()),
               intensity_text(operation.each), attributes_text(operation.attributes)});
  }
  return shown.text(style);
}

std::string unknown_text(const graph::NetworkCosts& costs) {
  std::string text = "warning: operations of unknown cost, excluded from the totals:\n";
  for (const auto& [name, count] : costs.unknown)
    text += fmt::format("  {} ({} times)\n", printable(name), count);
  return text;
}

Result<int> inspect(const InspectSettings& settings, Shell& shell) {
  if (settings.layers && settings.operations) {
    return fail(Errc::invalid_input, "--layers and --operations cannot be combined");
  }
  const auto network = settings.source.load();
  if (!network) return network.error();
  if (shell.stop().stop_requested()) return fail(Errc::cancelled, "interrupted");
  const std::int64_t batch = settings.cost.batch_for(*network);
  const auto costs = graph::network_costs(*network, batch, settings.cost.mode);
  if (!costs) return costs.error();
  const auto operations = graph::unique_operations(*network, batch, settings.cost.mode);
  if (!operations) return operations.error();

  const auto text = [&] {
    const report::TableStyle style = shell.table_style();
    if (settings.layers) return layers_text(*network, *costs, style);
    if (settings.operations) return operations_text(*operations, batch, style);
    return totals_text(*network, costs->totals, settings) +
           (costs->unknown.empty() ? "" : "\n" + unknown_text(*costs)) + "\n" +
           by_type_text(*operations, costs->totals, style);
  };
  const auto printed = shell.print_result(
      "ergon.inspect/1", settings.source.files(),
      report::inspect_json(*network, *costs, *operations, {batch, settings.cost.mode}), false, text);
  if (!printed) return printed.error();
  return kExitDone;
}

}  // namespace

Command inspect_command() {
  return {
      .name = "inspect",
      .summary = "show the layers, operations and costs of a network",
      .description =
          "Prints totals and a summary per operation type; with --layers one row per layer, with "
          "--operations one "
          "row per distinct operation. --json prints all of it. See docs/costs.md for what is counted.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<InspectSettings>();
        declare_network(options, settings->source);
        settings->cost.declare(options);
        options.flag("--layers", settings->layers, "one row per layer");
        options.flag("--operations", settings->operations, "one row per distinct operation, with its count");
        return [settings](Shell& shell) { return inspect(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
