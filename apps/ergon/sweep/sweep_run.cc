#include "sweep/sweep_run.h"

#include <memory>

#include <fmt/format.h>

#include "sweep/sweep_executor.h"

namespace ergon::app {

Result<SweepRun> run_sweep(const SweepSettings& settings, Shell& shell) {
  const auto candidates = settings.candidates();
  if (!candidates) return candidates.error();
  auto described = settings.experiment(*candidates);
  if (!described) return described.error();
  sweep::Experiment& experiment = *described;
  const auto opened = SweepExecutor::open(settings, experiment, *candidates, shell);
  if (!opened) return opened.error();
  sweep::RunExecutor& executor = (*opened)->executor();
  note_warnings((*opened)->warnings(), shell);
  auto clocks = sweep::chosen_clocks(settings.clocks, executor);
  if (!clocks) return clocks.error();
  experiment.grid.clocks = std::move(*clocks);

  std::unique_ptr<Progress> progress;
  sweep::SweepCallbacks callbacks;
  callbacks.on_start = [&](std::size_t runs) { progress = shell.progress({"sweep", runs, "runs"}); };
  callbacks.on_run = [&] { progress->advance(); };
  callbacks.stop = shell.stop();
  auto outcome = sweep::run_experiment(experiment, executor,
                                       sweep::SweepFolder{settings.out, settings.resume}, callbacks);
  if (progress) progress->finish();
  if (!outcome && progress)
    shell.note(fmt::format("finished runs are in {}; use --resume to continue", settings.out));
  if (!outcome) return outcome.error();
  return SweepRun{std::move(*outcome), (*opened)->warnings()};
}

}  // namespace ergon::app
