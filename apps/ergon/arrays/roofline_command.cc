#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arrays/array_commands.h"
#include "arrays/layer_source.h"
#include "arrays/setup_options.h"
#include "base/si_prefixes.h"
#include "base/text.h"
#include "base/units_text.h"
#include "option_parsers.h"
#include "report/roofline_json.h"
#include "report/text_table.h"
#include "systolic/roofline.h"

namespace ergon::app {
namespace {

using namespace systolic;
using report::Align;

struct RooflineSettings {
  LayerSource layers;
  RooflineRequest request;
};

std::string gops(double ops) { return fmt::format("{:.1f}", ops / kGiga); }

std::string roof_text(const RooflineChart& chart) {
  return fmt::format("{} TOPS at {}, {}: layers below {:.1f} operations per byte are memory bound",
                     shortest_text(chart.roof.peak_ops / kTera), to_text(chart.clock),
                     to_text(chart.roof.bandwidth), chart.roof.ridge());
}

std::string chart_text(const RooflineChart& chart, const std::vector<Layer>& layers,
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

std::string charts_text(const std::vector<RooflineChart>& charts, const report::TableStyle& style) {
  report::TextTable table({{"peak TOPS", Align::right},
                           {"clock", Align::right},
                           {"bandwidth", Align::right},
                           {"ridge (ops/byte)", Align::right},
                           {"memory bound", Align::right},
                           {"compute bound", Align::right}});
  for (const RooflineChart& chart : charts) {
    table.row({shortest_text(chart.roof.peak_ops / kTera), to_text(chart.clock),
               to_text(chart.roof.bandwidth), fmt::format("{:.1f}", chart.roof.ridge()),
               std::to_string(chart.memory_bound()),
               std::to_string(chart.points.size() - chart.memory_bound())});
  }
  return table.text(style);
}

Result<int> draw(const RooflineSettings& settings, Shell& shell) {
  if (settings.request.memory && !settings.request.bandwidths.empty()) {
    return fail(Errc::invalid_input, "--memory and --bandwidths exclude each other; give one of them");
  }
  const auto rooflines = resolve(settings.request);
  if (!rooflines) return rooflines.error();
  const auto layers = settings.layers.load();
  if (!layers) return layers.error();
  const auto charts = charts_of(*layers, *rooflines, shell.stop());
  if (!charts) return charts.error();
  std::vector<std::string> files = settings.layers.files();
  files.insert(files.end(), rooflines->files.begin(), rooflines->files.end());
  const auto printed = shell.print_result(
      "ergon.roofline/1", std::move(files),
      report::roofline_json(settings.layers.name(), *rooflines, *charts, *layers), true, [&] {
        return charts->size() == 1 ? chart_text(charts->front(), *layers, shell.table_style())
                                   : charts_text(*charts, shell.table_style());
      });
  if (!printed) return printed.error();
  return kExitDone;
}

// Largest number of TOPS or GB/s that is accepted.
constexpr double kMaxOfOption = 1e9;

// TOPS; operations per second.
Result<double> parse_peak(std::string_view text) {
  const auto tops = parse_double(text);
  if (tops && *tops > 0 && *tops <= kMaxOfOption) return *tops * kTera;
  return fail(Errc::invalid_input, "\"{}\" is not a positive number of TOPS (example: 4)", printable(text));
}

// A number without a unit is in GB/s.
Result<BytesPerSecond> parse_rate(std::string_view text) {
  if (const auto number = parse_double(text)) {
    if (*number > 0 && *number <= kMaxOfOption) return BytesPerSecond{*number * kGiga};
  } else if (const auto rate = parse_quantity<BytesPerSecond>(text, "--bandwidths"); rate && rate->si() > 0) {
    return *rate;
  }
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
        RooflineRequest& request = settings->request;
        settings->layers.declare(options, LayerSource::Input::network);
        options.text("--accelerator", request.accelerator, "NAME", accelerator_help());
        options.text("--memory", request.memory, "NAME", memory_help());
        options.parsed_list("--tops", "N,...", "peak performance in TOPS; sets the clock",
                            taking_each(request.peak_ops, parse_peak));
        options.parsed_list("--bandwidths", "N,...", "bandwidths in GB/s, instead of --memory",
                            taking_each(request.bandwidths, parse_rate));
        return [settings](Shell& shell) { return draw(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
