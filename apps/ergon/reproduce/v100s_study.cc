#include "reproduce/v100s_study.h"

#include <algorithm>

#include "device/twin/catalog.h"
#include "sweep/evaluation/observations.h"
#include "sweep/sweep_run.h"

namespace ergon::app {
namespace {

constexpr const char* kV100sDevice = "v100s";

SweepSettings settings_of_paper(const V100sOptions& options) {
  SweepSettings settings;
  settings.device = kV100sDevice;
  settings.networks = {"table1"};
  settings.clocks = "196";
  settings.repeats = 3;
  settings.scenario = "execution";
  settings.precision = "fp32";
  settings.out = options.folder;
  settings.resume = options.resume;
  return settings;
}

SweepSettings settings_of_steady_work() {
  SweepSettings settings;
  settings.device = kV100sDevice;
  settings.networks = {"table1"};
  settings.clocks = "20";
  settings.repeats = 2;
  settings.batch = 32;
  settings.precision = "fp32";
  return settings;
}

Result<sweep::SweepEvaluation> evaluated(const SweepSettings& settings, Shell& shell) {
  const auto outcome = run_sweep(settings, shell);
  if (!outcome) return outcome.error();
  sweep::EvaluationOptions options;
  options.stop = shell.stop();
  auto evaluation = sweep::evaluate(sweep::observations_of(outcome->rows), options);
  if (shell.stop().stop_requested()) return fail(Errc::cancelled, "interrupted");
  return evaluation;
}

Result<std::vector<HostShare>> shares_of(const SweepSettings& settings, const sweep::ExecutionModel& model) {
  const auto gpu = device::find_device(settings.device);
  if (!gpu) return gpu.error();
  const auto candidates = settings.candidates();
  if (!candidates) return candidates.error();
  std::vector<HostShare> shares;
  for (const profile::LoadedNetwork& each : *candidates) {
    const auto work = sweep::ExecutionWork::prepare(each.network, 1, settings.precision_value(), *gpu, model);
    if (!work) return work.error().in(each.name);
    const auto at = [&](Hertz clock) {
      const Seconds search = work->search() ? work->search()->at(clock).time : Seconds{0};
      return search + work->iteration()->at(clock).time;
    };
    const Hertz slow = gpu->core.min, fast = gpu->core.max;
    shares.push_back({each.name, model.begin + work->build() + work->copy(), at(fast), at(slow),
                      work->iteration()->at(fast).time, work->iteration()->at(slow).time});
  }
  return shares;
}

}  // namespace

// Solves (host + slow) / (host + fast) = 1.5 for host.
Seconds HostShare::min_host() const {
  constexpr double kMaxTimeRatio = 1.5;
  return std::max(Seconds{0}, (gpu_slow - gpu_fast * kMaxTimeRatio) / (kMaxTimeRatio - 1));
}

Result<V100sStudy> study_v100s(const V100sOptions& options, Shell& shell) {
  V100sStudy study;
  const SweepSettings paper = settings_of_paper(options);
  auto execution = evaluated(paper, shell);
  if (!execution) return execution.error();
  study.execution = std::move(*execution);
  auto steady = evaluated(settings_of_steady_work(), shell);
  if (!steady) return steady.error();
  study.steady = std::move(*steady);
  auto shares = shares_of(paper, study.model);
  if (!shares) return shares.error();
  study.shares = std::move(*shares);
  return study;
}

}  // namespace ergon::app
