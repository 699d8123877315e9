#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arrays/array_commands.h"
#include "arrays/layer_source.h"
#include "arrays/machine_source.h"
#include "base/text.h"
#include "base/units_text.h"
#include "report/systolic_json.h"
#include "report/text_table.h"
#include "systolic/run_totals.h"
#include "systolic/scalesim/reports.h"
#include "systolic/stepped/stepped.h"

namespace ergon::app {
namespace {

using namespace systolic;
using report::Align;

struct SimulateSettings {
  LayerSource layers;
  MachineSource machine;
  std::optional<std::string> out;
  std::string engine = "fast";
};

// Runs the slow reference engine, to verify the fast one.
Result<std::vector<LayerRun>> simulate_stepped(const std::vector<Layer>& layers, const Setup& setup,
                                               const Shell& shell) {
  std::vector<LayerRun> runs;
  for (const Layer& layer : layers) {
    auto run = stepped::step(layer, setup.machine, setup.port, setup.semantics, shell.stop());
    if (!run && run.error().kind == Errc::cancelled) return run.error();
    if (!run) return run.error().in(fmt::format("layer \"{}\"", printable(layer.name)));
    runs.push_back(std::move(*run));
  }
  return runs;
}

std::string percent(double part) { return fmt::format("{:.1f}%", part); }

std::string runs_text(const std::vector<LayerRun>& runs, const Setup& setup, const std::string& name,
                      const report::TableStyle& style) {
  std::vector<report::TextTable::Heading> headings = {{"layer"},
                                                      {"MACs", Align::right},
                                                      {"cycles", Align::right},
                                                      {"stalls", Align::right, 1},
                                                      {"stalled", Align::right, 1},
                                                      {"utilization", Align::right},
                                                      {"memory words", Align::right, 2}};
  if (setup.clock) headings.push_back({"time", Align::right});
  if (setup.energies) headings.push_back({"energy", Align::right});
  report::TextTable table(headings);
  const auto row = [&](const std::string& title, const RunTotals& sum) {
    std::vector<std::string> cells = {
        title,
        grouped_digits(sum.macs),
        grouped_digits(sum.cycles),
        grouped_digits(sum.stall_cycles),
        percent(100 * static_cast<double>(sum.stall_cycles) / static_cast<double>(sum.cycles)),
        percent(sum.utilization),
        grouped_digits(sum.memory_words)};
    if (setup.clock) cells.push_back(to_text(duration(sum.cycles, *setup.clock)));
    if (setup.energies) cells.push_back(to_text(sum.energy.total()));
    table.row(std::move(cells));
  };
  for (const LayerRun& run : runs)
    row(printable(run.name, 32), totals_of(std::span(&run, 1), setup.energies));
  row("all layers", totals_of(runs, setup.energies));
  return fmt::format("{} on {}\n{}, {} timing\n\n{}", name, setup.machine_text(), setup.port_text(),
                     name_of(setup.semantics), table.text(style));
}

nlohmann::ordered_json document_of(const std::vector<LayerRun>& runs, const Setup& setup,
                                   const std::string& name, const std::string& engine) {
  nlohmann::ordered_json layers = nlohmann::ordered_json::array();
  for (const LayerRun& run : runs) layers.push_back(report::layer_run_json(run, setup.clock, setup.energies));
  nlohmann::ordered_json body = {{"network", name},
                                 {"semantics", name_of(setup.semantics)},
                                 {"engine", engine},
                                 {"accelerator", nullptr},
                                 {"memory", nullptr},
                                 {"clock_hertz", nullptr},
                                 {"machine", report::machine_json(setup.machine)},
                                 {"bandwidth", report::port_json(setup.port, setup.semantics)}};
  if (setup.accelerator) body["accelerator"] = *setup.accelerator;
  if (setup.memory) body["memory"] = *setup.memory;
  if (setup.clock) body["clock_hertz"] = setup.clock->si();
  if (setup.energies)
    body["energies_from"] = {{"table", setup.energy_table}, {"memory", setup.energy_memory}};
  body["totals"] = report::run_totals_json(runs, setup.clock, setup.energies);
  body["layers"] = std::move(layers);
  return body;
}

std::string folder_name(std::string name) {
  for (char& c : name) {
    if (c == '/') c = '-';
  }
  return name;
}

Result<int> simulate_network(const SimulateSettings& settings, Shell& shell) {
  const auto setup = settings.machine.resolve();
  if (!setup) return setup.error();
  const auto layers = settings.layers.load();
  if (!layers) return layers.error();
  for (const std::string& remark : setup->remarks) shell.note(remark);
  ScheduleCache cache;
  const auto runs = settings.engine == "stepped" ? simulate_stepped(*layers, *setup, shell)
                                                 : simulate(*layers, setup->machine, setup->port,
                                                            setup->semantics, cache, 0, shell.stop());
  if (!runs) return runs.error();
  const std::string name = settings.layers.name();
  if (settings.out) {
    const std::string run_name =
        settings.machine.config ? setup->name : folder_name(fmt::format("{}_{}", name, setup->name));
    const auto folder = std::filesystem::path(*settings.out) / run_name;
    if (const auto written = scalesim::write_reports(folder, *runs, setup->semantics); !written) {
      return written.error();
    }
    shell.note(fmt::format("wrote reports to {}", folder.string()));
  }
  std::vector<std::string> files = settings.layers.files();
  files.insert(files.end(), setup->files.begin(), setup->files.end());
  const auto printed = shell.json
                           ? shell.print_document("ergon.simulate/2", std::move(files),
                                                  document_of(*runs, *setup, name, settings.engine), true)
                           : shell.print_report(runs_text(*runs, *setup, name, shell.table_style()));
  if (!printed) return printed.error();
  return kExitDone;
}

}  // namespace

Command simulate_command() {
  return {
      .name = "simulate",
      .summary = "simulate a network on a systolic array, as SCALE-Sim does",
      .description =
          "Cycles, stalls and memory traffic of every layer. -p writes SCALE-Sim's reports to "
          "OUTDIR/run_name. "
          "docs/systolic.md compares the timings.",
      .declare = [](Options& options) -> Action {
        auto settings = std::make_shared<SimulateSettings>();
        settings->layers.declare(options, LayerSource::Input::network_or_topology);
        settings->machine.declare(options);
        options.text("-p,--path", settings->out, "OUTDIR", "folder for SCALE-Sim's three reports");
        options.choice("--engine", settings->engine, {"fast", "stepped"},
                       "stepped: slow reference (default: fast)");
        return [settings](Shell& shell) { return simulate_network(*settings, shell); };
      },
      .children = {simulate_sweep_command()},
  };
}

}  // namespace ergon::app
