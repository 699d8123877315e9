#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arrays/array_commands.h"
#include "arrays/layer_source.h"
#include "arrays/setup_options.h"
#include "base/file.h"
#include "base/text.h"
#include "base/units_text.h"
#include "option_parsers.h"
#include "report/systolic_json.h"
#include "report/text_table.h"
#include "systolic/setup/design_grid.h"

namespace ergon::app {
namespace {

using namespace systolic;
using report::Align;

struct ArraySweepSettings {
  LayerSource layers;
  DesignGrid grid;
  std::optional<std::string> out;
};

std::string points_text(const std::vector<DesignPoint>& points, const report::TableStyle& style) {
  report::TextTable table({{"array"},
                           {"dataflow"},
                           {"scratchpads", Align::left, 3},
                           {"memory"},
                           {"words/cycle", Align::right, 2},
                           {"cycles", Align::right},
                           {"stalls", Align::right, 1},
                           {"utilization", Align::right},
                           {"memory words", Align::right, 2},
                           {"time", Align::right},
                           {"energy", Align::right}});
  for (const DesignPoint& point : points) {
    const Setup& setup = point.setup;
    table.row({to_text(setup.machine.array), std::string(name_of(setup.machine.dataflow)),
               to_text(setup.machine.scratchpads), setup.bandwidth_memory().value_or(""),
               words_text(setup.port, setup.semantics), grouped_digits(point.totals.cycles),
               grouped_digits(point.totals.stall_cycles), fmt::format("{:.1f}%", point.totals.utilization),
               grouped_digits(point.totals.memory_words), to_text(point.time()),
               to_text(point.totals.energy.total())});
  }
  return table.text(style);
}

Result<int> sweep_arrays(const ArraySweepSettings& settings, Shell& shell) {
  const auto setups = setups_of(settings.grid);
  if (!setups) return setups.error();
  const auto layers = settings.layers.load();
  if (!layers) return layers.error();
  ScheduleCache cache;
  const auto progress = shell.progress({.label = "simulating", .total = setups->size(), .unit = " points"});
  const auto points = simulate_points(
      *layers, *setups, cache, [&] { progress->advance(1); }, shell.stop());
  if (!points) return points.error();
  progress->finish();
  if (settings.out) {
    if (const auto written = write_file(*settings.out, report::design_points_csv(*points)); !written)
      return written.error();
  }
  const auto body = report::design_points_json(settings.layers.name(), *points, cache.traced());
  if (settings.out && !shell.json) return kExitDone;
  std::vector<std::string> files = settings.layers.files();
  for (std::string& file : files_of(*points)) files.push_back(std::move(file));
  const auto printed = shell.print_result("ergon.simulate.sweep/2", std::move(files), body, true,
                                          [&] { return points_text(*points, shell.table_style()); });
  if (!printed) return printed.error();
  return kExitDone;
}

Result<std::string> parse_memory_name(std::string_view text) {
  if (text.empty()) return fail(Errc::invalid_input, "a memory name is empty");
  return std::string(text);
}

}  // namespace

Command simulate_sweep_command() {
  return {
      .name = "sweep",
      .summary = "simulate all combinations of arrays, dataflows, scratchpads and memories",
      .description =
          "Every array with every bandwidth and every memory. Values that are not given are the "
          "accelerator's. "
          "Misses are traced once per array and replayed for every bandwidth.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<ArraySweepSettings>();
        DesignGrid& grid = settings->grid;
        settings->layers.declare(options, LayerSource::Input::network);
        options.text("--accelerator", grid.accelerator, "NAME", accelerator_help());
        options.parsed_list("--arrays", "RxC,...", "rows x columns of processing elements, for example 64x64",
                            taking_each(grid.arrays, parse_array));
        options.enumeration_list("--dataflows", grid.dataflows, "os,ws,is", kDataflows,
                                 "stationary operand: outputs, weights or inputs");
        options.parsed_list("--scratchpads", "I/F/O,...",
                            "size of ifmap, filter and ofmap scratchpads in KiB",
                            taking_each(grid.scratchpads, parse_scratchpads));
        options.parsed_list("--bandwidths", "N,...", "words per cycle, rates (28GB/s), or calc",
                            taking_each(grid.bandwidths, parse_bandwidth));
        options.parsed_list("--memories", "NAME,...", memory_help(),
                            taking_each(grid.memories, parse_memory_name));
        options.enumeration("--semantics", grid.semantics, kSemantics, "timing rules (default: v3)");
        options.parsed("--out", "FILE", "write the table to a CSV file instead",
                       taking_table_file(settings->out));
        return [settings](Shell& shell) { return sweep_arrays(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
