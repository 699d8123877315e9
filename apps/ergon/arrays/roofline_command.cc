#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arrays/array_commands.h"
#include "arrays/layer_source.h"
#include "arrays/machine_source.h"
#include "base/si_prefixes.h"
#include "base/text.h"
#include "base/units_text.h"
#include "report/systolic_json.h"
#include "report/text_table.h"
#include "systolic/roofline.h"
#include "systolic/run_totals.h"

namespace ergon::app {
namespace {

using namespace systolic;
using report::Align;

struct RooflineSettings {
  LayerSource layers;
  std::string accelerator = "edge-tpu";
  std::optional<std::string> memory;
  std::vector<std::string> tops, bandwidths;
};

// One roofline and the position of every layer.
struct Chart {
  Roof roof;
  Hertz clock;
  std::vector<RooflinePoint> points;
};

Result<std::vector<Roof>> roofs_of(const RooflineSettings& settings, const Accelerator& accelerator) {
  const double units = 2 * static_cast<double>(accelerator.machine.array.units());
  std::vector<double> peaks;
  for (const std::string& text : settings.tops) peaks.push_back(*parse_double(text) * kTera);
  if (peaks.empty()) peaks.push_back(units * accelerator.clock.si());
  std::vector<BytesPerSecond> rates;
  for (const std::string& text : settings.bandwidths) {
    if (const auto number = parse_double(text)) {
      rates.emplace_back(*number * kGiga);
    } else {
      rates.push_back(*parse_quantity<BytesPerSecond>(text, "--bandwidths"));
    }
  }
  if (rates.empty()) {
    const auto memory = find_memory(settings.memory.value_or(accelerator.memory));
    if (!memory) return memory.error();
    rates.push_back(memory->effective * accelerator.memory_share);
  }
  std::vector<Roof> roofs;
  for (const double peak : peaks) {
    for (const BytesPerSecond rate : rates) roofs.push_back({peak, rate, accelerator.memory_bytes_per_word});
  }
  return roofs;
}

// One point per layer. Attained performance uses Ergon's timing, with filling and draining of the array.
Result<Chart> chart_of(const std::vector<Layer>& layers, const Accelerator& accelerator, const Roof& roof,
                       ScheduleCache& cache, const std::stop_token& stop) {
  Chart chart{roof, Hertz{roof.peak_ops / (2 * static_cast<double>(accelerator.machine.array.units()))}, {}};
  const double words = roof.bandwidth.si() / (chart.clock.si() * static_cast<double>(roof.bytes_per_word));
  const auto runs =
      simulate(layers, accelerator.machine, MemoryPort::of(words), Semantics::ergon, cache, 0, stop);
  if (!runs) return runs.error();
  for (std::size_t i = 0; i < layers.size(); ++i) {
    RooflinePoint point = roofline_point(layers[i].geometry, roof);
    const Seconds time = duration((*runs)[i].timing.cycles_with_prefetch, chart.clock);
    point.attained_ops = point.operations / time.si();
    chart.points.push_back(point);
  }
  return chart;
}

std::string gops(double ops) { return fmt::format("{:.1f}", ops / kGiga); }

std::string roof_text(const Chart& chart) {
  return fmt::format("{} TOPS at {}, {}: layers below {:.1f} operations per byte are memory bound",
                     shortest_text(chart.roof.peak_ops / kTera), to_text(chart.clock),
                     to_text(chart.roof.bandwidth), chart.roof.ridge());
}

std::string layers_text(const Chart& chart, const std::vector<Layer>& layers,
                        const report::TableStyle& style) {
  report::TextTable table({{"layer"},
                           {"kind"},
                           {"MACs", Align::right, 2},
                           {"ops/byte", Align::right},
                           {"attainable GOPS", Align::right},
                           {"attained GOPS", Align::right},
                           {"of roofline", Align::right, 1},
                           {"bound"}});
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const RooflinePoint& point = chart.points[i];
    table.row({printable(layers[i].name, 32), std::string(name_of(kind_of(layers[i].geometry))),
               grouped_digits(layers[i].geometry.macs()), fmt::format("{:.2f}", point.intensity),
               gops(point.attainable_ops), gops(*point.attained_ops),
               fmt::format("{:.1f}%", 100 * *point.attained_ops / point.attainable_ops),
               point.memory_bound ? "memory" : "compute"});
  }
  return roof_text(chart) + "\n\n" + table.text(style);
}

std::string charts_text(const std::vector<Chart>& charts, const report::TableStyle& style) {
  report::TextTable table({{"peak TOPS", Align::right},
                           {"clock", Align::right},
                           {"bandwidth", Align::right},
                           {"ridge (ops/byte)", Align::right},
                           {"memory bound", Align::right},
                           {"compute bound", Align::right}});
  for (const Chart& chart : charts) {
    const auto bound = std::count_if(chart.points.begin(), chart.points.end(),
                                     [](const RooflinePoint& point) { return point.memory_bound; });
    table.row({shortest_text(chart.roof.peak_ops / kTera), to_text(chart.clock),
               to_text(chart.roof.bandwidth), fmt::format("{:.1f}", chart.roof.ridge()),
               std::to_string(bound),
               std::to_string(static_cast<std::ptrdiff_t>(chart.points.size()) - bound)});
  }
  return table.text(style);
}

nlohmann::ordered_json document_of(const std::vector<Chart>& charts, const std::vector<Layer>& layers,
                                   const RooflineSettings& settings, const Accelerator& accelerator) {
  nlohmann::ordered_json roofs = nlohmann::ordered_json::array();
  for (const Chart& chart : charts) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const RooflinePoint& point = chart.points[i];
      rows.push_back({{"name", layers[i].name},
                      {"kind", name_of(kind_of(layers[i].geometry))},
                      {"operations", point.operations},
                      {"traffic_bytes", point.traffic.si()},
                      {"operations_per_byte", point.intensity},
                      {"attainable_operations_per_second", point.attainable_ops},
                      {"attained_operations_per_second", *point.attained_ops},
                      {"bound", point.memory_bound ? "memory" : "compute"}});
    }
    roofs.push_back({{"peak_operations_per_second", chart.roof.peak_ops},
                     {"clock_hertz", chart.clock.si()},
                     {"bandwidth_bytes_per_second", chart.roof.bandwidth.si()},
                     {"ridge_operations_per_byte", chart.roof.ridge()},
                     {"layers", std::move(rows)}});
  }
  return {{"network", settings.layers.name()},
          {"accelerator", accelerator.name},
          {"machine", report::machine_json(accelerator.machine)},
          {"roofs", std::move(roofs)}};
}

std::vector<std::string> files_of(const RooflineSettings& settings) {
  std::vector<std::string> files = settings.layers.files();
  for (const std::string& name : {settings.accelerator, settings.memory.value_or("")}) {
    if (lower(name).ends_with(".json")) files.push_back(name);
  }
  return files;
}

Result<int> draw(const RooflineSettings& settings, Shell& shell) {
  if (settings.memory && !settings.bandwidths.empty()) {
    return fail(Errc::invalid_input, "--memory and --bandwidths exclude each other; give one of them");
  }
  const auto accelerator = find_accelerator(settings.accelerator);
  if (!accelerator) return accelerator.error();
  const auto roofs = roofs_of(settings, *accelerator);
  if (!roofs) return roofs.error();
  const auto layers = settings.layers.load();
  if (!layers) return layers.error();
  ScheduleCache cache;
  std::vector<Chart> charts;
  for (const Roof& roof : *roofs) {
    auto chart = chart_of(*layers, *accelerator, roof, cache, shell.stop());
    if (!chart) return chart.error();
    charts.push_back(std::move(*chart));
  }
  const auto printed =
      shell.json
          ? shell.print_document("ergon.roofline/1", files_of(settings),
                                 document_of(charts, *layers, settings, *accelerator), true)
          : shell.print_report(charts.size() == 1 ? layers_text(charts[0], *layers, shell.table_style())
                                                  : charts_text(charts, shell.table_style()));
  if (!printed) return printed.error();
  return kExitDone;
}

Result<> check_tops(std::string_view text) {
  const auto number = parse_double(text);
  if (number && *number > 0 && *number <= 1e9) return {};
  return fail(Errc::invalid_input, "\"{}\" is not a positive number of TOPS (example: 4)", printable(text));
}

Result<> check_rate(std::string_view text) {
  const auto number = parse_double(text);
  if (number && *number > 0 && *number <= 1e9) return {};
  const auto rate = parse_quantity<BytesPerSecond>(text, "--bandwidths");
  if (!number && rate && rate->si() > 0) return {};
  return fail(Errc::invalid_input, "\"{}\" is not a bandwidth in GB/s (examples: 122, 122GB/s)",
              printable(text));
}

}  // namespace

Command roofline_command() {
  return {
      .name = "roofline",
      .summary = "which layers of a network are memory bound or compute bound",
      .description =
          "Per layer: operations per byte with every word moved once, the attainable performance at that "
          "intensity, and what the array attains. With several peaks or bandwidths, one row per roofline; "
          "--json lists the layers.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<RooflineSettings>();
        settings->layers.declare(options, LayerSource::Input::network);
        options.text("--accelerator", settings->accelerator, "NAME", accelerator_help());
        options.text("--memory", settings->memory, "NAME", memory_help());
        options.list("--tops", settings->tops, "N,...", "peak performance in TOPS; sets the clock",
                     check_tops);
        options.list("--bandwidths", settings->bandwidths, "N,...", "bandwidths in GB/s, instead of --memory",
                     check_rate);
        return [settings](Shell& shell) { return draw(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
