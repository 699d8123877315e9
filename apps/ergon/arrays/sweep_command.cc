#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arrays/array_commands.h"
#include "arrays/layer_source.h"
#include "arrays/machine_source.h"
#include "base/file.h"
#include "base/text.h"
#include "base/units_text.h"
#include "report/systolic_json.h"
#include "report/text_table.h"
#include "systolic/run_totals.h"

namespace ergon::app {
namespace {

using namespace systolic;
using report::Align;

struct ArraySweepSettings {
  LayerSource layers;
  std::string accelerator = "edge-tpu";
  std::vector<std::string> arrays, dataflows, scratchpads, bandwidths, memories;
  std::string semantics = "v3";
  std::optional<std::string> out;
};

// One design point and its result.
struct Point {
  Setup setup;
  std::string bandwidth;
  RunTotals totals;
};

// The given values, or one empty value that keeps the accelerator's.
std::vector<std::string> or_one(const std::vector<std::string>& given) {
  return given.empty() ? std::vector<std::string>{""} : given;
}

Result<std::vector<Setup>> setups_of(const ArraySweepSettings& settings) {
  MachineSource source;
  source.accelerator = settings.accelerator;
  source.semantics = settings.semantics;
  std::vector<Setup> setups;
  for (const std::string& array : or_one(settings.arrays)) {
    if (!array.empty()) source.array = *parse_array(array);
    for (const std::string& dataflow : or_one(settings.dataflows)) {
      if (!dataflow.empty()) source.dataflow = *dataflow_of(dataflow);
      for (const std::string& pads : or_one(settings.scratchpads)) {
        if (!pads.empty()) source.scratchpads = *parse_scratchpads(pads);
        const auto add = [&](const std::string& what) -> Result<> {
          auto setup = source.resolve();
          if (!setup) {
            std::string where;
            for (const std::string& part : {array, dataflow, pads, what}) {
              if (!part.empty()) where += (where.empty() ? "" : " ") + part;
            }
            return where.empty() ? setup.error() : setup.error().in(where);
          }
          setups.push_back(std::move(*setup));
          return {};
        };
        for (const std::string& bandwidth : settings.bandwidths) {
          source.bandwidth = bandwidth;
          source.memory.reset();
          if (auto added = add(bandwidth); !added) return added.error();
        }
        source.bandwidth.reset();
        if (!settings.bandwidths.empty() && settings.memories.empty()) continue;
        for (const std::string& memory : or_one(settings.memories)) {
          source.memory = memory.empty() ? std::nullopt : std::optional(memory);
          if (auto added = add(memory); !added) {
            return added.error();
          }
        }
      }
    }
  }
  return setups;
}

std::string bandwidth_text(const Setup& setup) {
  if (setup.port.calculated) return "calc";
  return setup.semantics == Semantics::ergon ? fmt::format("{:.4g}", setup.port.channel_words)
                                             : fmt::format("{}", setup.port.ports.ofmap);
}

std::string points_text(const std::vector<Point>& points, const report::TableStyle& style) {
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
  for (const Point& point : points) {
    const Machine& m = point.setup.machine;
    table.row({fmt::format("{}x{}", m.array.rows, m.array.columns), std::string(name_of(m.dataflow)),
               scratchpads_text(m.scratchpads), point.setup.memory.value_or(""), point.bandwidth,
               grouped_digits(point.totals.cycles), grouped_digits(point.totals.stall_cycles),
               fmt::format("{:.1f}%", point.totals.utilization), grouped_digits(point.totals.memory_words),
               to_text(duration(point.totals.cycles, *point.setup.clock)),
               to_text(point.totals.energy.total())});
  }
  return table.text(style);
}

std::string points_csv(const std::vector<Point>& points) {
  std::string text =
      "array_rows,array_columns,dataflow,ifmap_words,filter_words,ofmap_words,memory,words_per_cycle,cycles,"
      "stall_cycles,utilization_percent,memory_words,seconds,energy_joules,simulated\n";
  for (const Point& point : points) {
    const Machine& m = point.setup.machine;
    text +=
        fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},true\n", m.array.rows, m.array.columns,
                    name_of(m.dataflow), m.scratchpads.ifmap, m.scratchpads.filter, m.scratchpads.ofmap,
                    point.setup.memory.value_or(""), point.bandwidth, point.totals.cycles,
                    point.totals.stall_cycles, point.totals.utilization, point.totals.memory_words,
                    duration(point.totals.cycles, *point.setup.clock).si(), point.totals.energy.total().si());
  }
  return text;
}

nlohmann::ordered_json document_of(const std::vector<Point>& points, const ArraySweepSettings& settings,
                                   std::size_t traced) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Point& point : points) {
    rows.push_back(
        {{"machine", report::machine_json(point.setup.machine)},
         {"memory", nullptr},
         {"bandwidth", report::port_json(point.setup.port, point.setup.semantics)},
         {"cycles", point.totals.cycles},
         {"stall_cycles", point.totals.stall_cycles},
         {"utilization_percent", point.totals.utilization},
         {"memory_words", point.totals.memory_words},
         {"seconds", duration(point.totals.cycles, *point.setup.clock).si()},
         {"energy_joules", point.totals.energy.total().si()},
         {"energies_from", {{"table", point.setup.energy_table}, {"memory", point.setup.energy_memory}}}});
    if (point.setup.memory) rows.back()["memory"] = *point.setup.memory;
  }
  return {{"network", settings.layers.name()},
          {"accelerator", *points.front().setup.accelerator},
          {"semantics", settings.semantics},
          {"traced_layers", traced},
          {"points", std::move(rows)}};
}

// Without duplicates: all points read the same accelerator file.
std::vector<std::string> files_of(const ArraySweepSettings& settings, const std::vector<Point>& points) {
  std::vector<std::string> files = settings.layers.files();
  for (const Point& point : points) {
    for (const std::string& file : point.setup.files) {
      if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
    }
  }
  return files;
}

Result<int> sweep(const ArraySweepSettings& settings, Shell& shell) {
  const auto setups = setups_of(settings);
  if (!setups) return setups.error();
  const auto layers = settings.layers.load();
  if (!layers) return layers.error();
  ScheduleCache cache;
  std::vector<Point> points;
  const auto progress = shell.progress({.label = "simulating", .total = setups->size(), .unit = " points"});
  for (const Setup& setup : *setups) {
    const auto runs = simulate(*layers, setup.machine, setup.port, setup.semantics, cache, 0, shell.stop());
    if (!runs && runs.error().kind == Errc::cancelled) return runs.error();
    if (!runs) return runs.error().in(setup.machine_text());
    points.push_back({setup, bandwidth_text(setup), totals_of(*runs, setup.energies)});
    progress->advance(1);
  }
  progress->finish();
  if (settings.out) {
    if (const auto written = write_file(*settings.out, points_csv(points)); !written) return written.error();
  }
  Result<> printed;
  if (shell.json) {
    printed = shell.print_document("ergon.simulate.sweep/2", files_of(settings, points),
                                   document_of(points, settings, cache.traced()), true);
  } else if (!settings.out) {
    printed = shell.print_report(points_text(points, shell.table_style()));
  }
  if (!printed) return printed.error();
  return kExitDone;
}

Result<> check_array(std::string_view text) {
  const auto array = parse_array(text);
  return array ? Result<>{} : Result<>{array.error()};
}

Result<> check_dataflow(std::string_view text) {
  const auto dataflow = dataflow_of(text);
  return dataflow ? Result<>{} : Result<>{dataflow.error()};
}

Result<> check_name(std::string_view text) {
  return text.empty() ? Result<>{fail(Errc::invalid_input, "a memory name is empty")} : Result<>{};
}

Result<> check_scratchpads(std::string_view text) {
  const auto scratchpads = parse_scratchpads(text);
  return scratchpads ? Result<>{} : Result<>{scratchpads.error()};
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
        settings->layers.declare(options, LayerSource::Input::network);
        options.text("--accelerator", settings->accelerator, "NAME", accelerator_help());
        options.list("--arrays", settings->arrays, "RxC,...",
                     "rows x columns of processing elements, for example 64x64", check_array);
        options.list("--dataflows", settings->dataflows, "os,ws,is",
                     "stationary operand: outputs, weights or inputs", check_dataflow);
        options.list("--scratchpads", settings->scratchpads, "I/F/O,...",
                     "size of ifmap, filter and ofmap scratchpads in KiB", check_scratchpads);
        options.list("--bandwidths", settings->bandwidths, "N,...",
                     "words per cycle, rates (28GB/s), or calc", check_bandwidth);
        options.list("--memories", settings->memories, "NAME,...", memory_help(), check_name);
        options.choice("--semantics", settings->semantics, semantics_names(), "timing rules (default: v3)");
        options.text("--out", settings->out, "FILE", "write the table to a CSV file instead");
        return [settings](Shell& shell) { return sweep(*settings, shell); };
      },
  };
}

}  // namespace ergon::app
