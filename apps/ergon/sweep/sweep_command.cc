#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "report/evaluation_text.h"
#include "sweep/evaluation/evaluation.h"
#include "sweep/evaluation/observations.h"
#include "sweep/run_log.h"
#include "sweep/sweep_commands.h"
#include "sweep/sweep_run.h"

namespace ergon::app {
namespace {

using Json = nlohmann::ordered_json;

std::string summary_text(const SweepSettings& settings, const SweepRun& run, const std::string& file) {
  const sweep::SweepOutcome& outcome = run.outcome;
  const sweep::SweepSummary& summary = outcome.summary;
  std::string text = fmt::format(
      "{} on {}{}{}{}\nwrote {}\n", counted(static_cast<std::uint64_t>(summary.runs), "run"),
      settings.device.name, outcome.facts.simulated ? " (simulated)" : "",
      summary.invalid > 0 ? fmt::format(", {} not valid", summary.invalid) : "",
      outcome.already_measured > 0 ? fmt::format("; {} already measured", outcome.already_measured) : "",
      file);
  for (const std::string& warning : run.warnings) text += fmt::format("warning: {}\n", warning);
  return text;
}

Result<int> sweep_all(const SweepSettings& settings, Shell& shell) {
  // Checked here, because the parser would also require them for subcommands.
  if (settings.device.name.empty() || settings.networks.empty() || settings.out.empty()) {
    shell.error("--device, --networks and --out are required; see ergon sweep --help");
    return kExitUsage;
  }
  const auto run = run_sweep(settings, shell);
  if (!run) return run.error();
  const sweep::SweepOutcome& outcome = run->outcome;
  const std::string file = fmt::format("{}/{}", settings.out, sweep::kRunsFile);
  if (shell.json) {
    const Json body = {{"simulated", outcome.facts.simulated},
                       {"device", outcome.facts.device},
                       {"file", file},
                       {"runs", outcome.summary.runs},
                       {"invalid", outcome.summary.invalid},
                       {"already_measured", outcome.already_measured},
                       {"warnings", run->warnings}};
    const auto printed = shell.print_document("ergon.sweep/2", {}, body, outcome.facts.simulated);
    if (!printed) return printed.error();
  } else {
    const auto evaluation = sweep::evaluate(sweep::observations_of(outcome.rows), {.stop = shell.stop()});
    if (shell.stop().stop_requested()) return fail(Errc::cancelled, "interrupted");
    const auto printed = shell.print_report(report::evaluation_text(evaluation, shell.table_style()) + "\n" +
                                            summary_text(settings, *run, file));
    if (!printed) return printed.error();
  }
  return outcome.summary.none_valid() ? kExitClaimFailed : kExitDone;
}

Action declare_sweep(Options& options) {
  auto settings = std::make_shared<SweepSettings>();
  settings->declare(options);
  return [settings](Shell& shell) { return sweep_all(*settings, shell); };
}

}  // namespace

Command sweep_command() {
  return {
      .name = "sweep",
      .summary = "measure networks at many clocks",
      .description =
          "Runs each network at each clock several times, in random order, and restores the clock after "
          "every "
          "run. docs/sweep.md describes the method.",
      .declare = declare_sweep,
      .children = {sweep_evaluate_command()},
  };
}

}  // namespace ergon::app
