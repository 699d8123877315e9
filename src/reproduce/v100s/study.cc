#include "reproduce/v100s/study.h"

#include <algorithm>

#include <fmt/format.h>

#include "device/twin/catalog.h"
#include "graph/zoo/zoo.h"
#include "sweep/clock_choice.h"
#include "sweep/evaluation/observations.h"
#include "sweep/table_one.h"
#include "sweep/twin/simulated_executor.h"

namespace ergon::reproduce {
namespace {

using Candidate = sweep::SimulatedExecutor::Candidate;

constexpr const char* kV100sDevice = "v100s";
constexpr device::Precision kPrecision = device::Precision::fp32;

// A grid without its networks, and its number of clocks.
struct V100sGrid {
  std::size_t clocks = 0;
  std::int64_t repetitions = 1, batch = 1;
  sweep::Scenario scenario = sweep::Scenario::steady;
};
constexpr V100sGrid kPaperGrid{196, 3, 1, sweep::Scenario::execution};
constexpr V100sGrid kSteadyGrid{20, 2, 32, sweep::Scenario::steady};

Result<std::vector<Candidate>> networks_of_table_one() {
  std::vector<Candidate> networks;
  for (const sweep::ListedNetwork& each : sweep::table_one()) {
    const auto entry = graph::zoo::find(each.zoo_name);
    if (!entry) return entry.error();
    auto network = graph::zoo::build(**entry);
    if (!network) return network.error();
    networks.push_back({each.name, std::move(*network)});
  }
  return networks;
}

Result<sweep::SweepEvaluation> evaluated(const device::Specification& gpu,
                                         const std::vector<Candidate>& networks, const V100sGrid& size,
                                         const std::optional<sweep::SweepFolder>& folder,
                                         const Environment& environment) {
  sweep::SimulatedExecutor::Settings settings;
  settings.batch = size.batch;
  settings.precision = kPrecision;
  settings.epoch = environment.now;
  const auto executor = sweep::SimulatedExecutor::open(gpu, networks, settings);
  if (!executor) return executor.error();
  auto clocks = sweep::chosen_clocks(size.clocks, **executor);
  if (!clocks) return clocks.error();

  sweep::Experiment experiment;
  for (const Candidate& each : networks) experiment.grid.networks.push_back(each.name);
  experiment.grid.clocks = std::move(*clocks);
  experiment.grid.repetitions = size.repetitions;
  experiment.grid.batch = size.batch;
  experiment.grid.scenario = size.scenario;
  experiment.precision = kPrecision;

  StepProgress progress(environment, "sweep", "runs");
  bool started = false;
  sweep::SweepCallbacks callbacks;
  callbacks.on_start = [&](std::size_t runs) {
    progress.begin(runs);
    started = true;
  };
  callbacks.on_run = [&] { progress.advance(); };
  callbacks.stop = environment.stop;
  const auto outcome = sweep::run_experiment(experiment, **executor, folder, callbacks);
  progress.finish();
  if (!outcome) {
    if (folder && started)
      environment.note(fmt::format("finished runs are in {}; use --resume to continue", folder->path));
    return outcome.error();
  }
  sweep::EvaluationOptions options;
  options.stop = environment.stop;
  auto evaluation = sweep::evaluate(sweep::observations_of(outcome->rows), options);
  if (environment.stop.stop_requested()) return fail(Errc::cancelled, "interrupted");
  return evaluation;
}

Result<std::vector<HostShare>> shares_of(const device::Specification& gpu,
                                         const std::vector<Candidate>& networks,
                                         const sweep::ExecutionModel& model) {
  std::vector<HostShare> shares;
  for (const Candidate& each : networks) {
    const auto work = sweep::ExecutionWork::prepare(each.network, 1, kPrecision, gpu, model);
    if (!work) return work.error().in(each.name);
    const auto at = [&](Hertz clock) {
      const Seconds search = work->search() ? work->search()->at(clock).time : Seconds{0};
      return search + work->iteration()->at(clock).time;
    };
    const Hertz slow = gpu.core.min, fast = gpu.core.max;
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

Result<V100sStudy> study_v100s(const std::optional<sweep::SweepFolder>& folder,
                               const Environment& environment) {
  const auto gpu = device::find_device(kV100sDevice);
  if (!gpu) return gpu.error();
  const auto networks = networks_of_table_one();
  if (!networks) return networks.error();
  V100sStudy study;
  auto execution = evaluated(*gpu, *networks, kPaperGrid, folder, environment);
  if (!execution) return execution.error();
  study.execution = std::move(*execution);
  auto steady = evaluated(*gpu, *networks, kSteadyGrid, std::nullopt, environment);
  if (!steady) return steady.error();
  study.steady = std::move(*steady);
  auto shares = shares_of(*gpu, *networks, study.model);
  if (!shares) return shares.error();
  study.shares = std::move(*shares);
  return study;
}

}  // namespace ergon::reproduce
