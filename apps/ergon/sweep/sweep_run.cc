#include "sweep/sweep_run.h"

#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sweep/clock_choice.h"
#include "sweep/run_log.h"
#include "sweep/sweep_executor.h"

namespace ergon::app {
namespace {

Result<sweep::Grid> grid_of(const SweepSettings& settings,
                            const std::vector<profile::LoadedNetwork>& candidates,
                            sweep::RunExecutor& executor) {
  const auto choice = sweep::parse_clock_choice(settings.clocks);
  if (!choice) return choice.error();
  // The default clock does not require the driver to list its clocks.
  const bool unlocked = std::holds_alternative<sweep::DefaultClock>(*choice);
  const auto supported = unlocked ? std::vector<Hertz>() : executor.clocks();
  if (!supported) return supported.error();
  auto clocks = sweep::chosen_clocks(*choice, *supported);
  if (!clocks) return clocks.error();
  sweep::Grid grid;
  for (const profile::LoadedNetwork& each : candidates) grid.networks.push_back(each.name);
  grid.clocks = std::move(*clocks);
  grid.repetitions = static_cast<std::int64_t>(settings.repeats);
  grid.batch = static_cast<std::int64_t>(settings.batch);
  grid.scenario = settings.scenario_value();
  return grid;
}

}  // namespace

Result<SweepOutcome> run_sweep(const SweepSettings& settings, Shell& shell) {
  auto candidates = settings.candidates();
  if (!candidates) return candidates.error();
  auto opened = SweepExecutor::open(settings, *candidates, shell);
  if (!opened) return opened.error();
  sweep::RunExecutor& executor = (*opened)->executor();
  const auto grid = grid_of(settings, *candidates, executor);
  if (!grid) return grid.error();

  SweepOutcome outcome;
  outcome.facts = executor.facts();
  std::optional<sweep::RunLog> log;
  if (!settings.out.empty()) {
    auto made = sweep::RunLog::open(settings.out, settings.experiment(outcome.facts, *grid), settings.resume);
    if (!made) return made.error();
    log.emplace(std::move(*made));
    outcome.rows = log->rows();
  }
  std::vector<sweep::Run> left;
  for (sweep::Run& run : sweep::plan(*grid, settings.seed)) {
    if (log && log->holds(run)) {
      ++outcome.already_measured;
    } else {
      left.push_back(std::move(run));
    }
  }
  auto progress = shell.progress({"sweep", left.size(), "runs"});
  const auto summary = sweep::execute_runs(
      left, executor,
      [&](const sweep::RunRow& row) -> Result<> {
        if (log) {
          if (auto appended = log->append(row); !appended) return appended;
        }
        outcome.rows.push_back(row);
        progress->advance();
        return {};
      },
      shell.stop());
  progress->finish();
  if (!summary) {
    if (log) shell.note(fmt::format("finished runs are in {}; use --resume to continue", settings.out));
    return summary.error();
  }
  outcome.summary = *summary;
  return outcome;
}

}  // namespace ergon::app
