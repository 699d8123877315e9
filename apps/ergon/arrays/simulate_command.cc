#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arrays/array_commands.h"
#include "arrays/layer_source.h"
#include "arrays/setup_options.h"
#include "base/text.h"
#include "base/units_text.h"
#include "report/systolic_json.h"
#include "report/text_table.h"
#include "systolic/run_totals.h"
#include "systolic/scalesim/reports.h"
#include "systolic/setup/engine.h"

namespace ergon::app {
namespace {

using namespace systolic;
using report::Align;

struct SimulateSettings {
  LayerSource layers;
  SetupOptions setup;
  std::optional<std::string> out;
  Engine engine = Engine::fast;
};

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

Result<int> simulate_network(const SimulateSettings& settings, Shell& shell) {
  const auto setup = settings.setup.resolve();
  if (!setup) return setup.error();
  const auto layers = settings.layers.load();
  if (!layers) return layers.error();
  for (const std::string& warning : setup->warnings) shell.note(warning);
  const auto runs = simulate(settings.engine, *layers, *setup, shell.stop());
  if (!runs) return runs.error();
  const std::string name = settings.layers.name();
  if (settings.out) {
    const auto folder = std::filesystem::path(*settings.out) / setup->report_folder(name);
    if (const auto written = scalesim::write_reports(folder, *runs, setup->semantics); !written) {
      return written.error();
    }
    shell.note(fmt::format("wrote reports to {}", folder.string()));
  }
  std::vector<std::string> files = settings.layers.files();
  files.insert(files.end(), setup->files.begin(), setup->files.end());
  const auto printed = shell.print_result(
      "ergon.simulate/2", std::move(files), report::simulation_json(name, *setup, settings.engine, *runs),
      true, [&] { return runs_text(*runs, *setup, name, shell.table_style()); });
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
        settings->setup.declare(options);
        options.text("-p,--path", settings->out, "OUTDIR", "folder for SCALE-Sim's three reports");
        options.enumeration("--engine", settings->engine, kEngines,
                            "stepped: slow reference (default: fast)");
        return [settings](Shell& shell) { return simulate_network(*settings, shell); };
      },
      .children = {simulate_sweep_command()},
  };
}

}  // namespace ergon::app
