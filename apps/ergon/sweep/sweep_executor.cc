#include "sweep/sweep_executor.h"

#include "device/twin/estimate_notes.h"
#include "profile/network_warnings.h"
#include "sweep/device_executor.h"
#include "sweep/twin/simulated_executor.h"

namespace ergon::app {
namespace {

using Executor = std::unique_ptr<sweep::RunExecutor>;

Result<Executor> simulated_executor(const SweepSettings& wanted, const sweep::Experiment& experiment,
                                    const std::vector<profile::LoadedNetwork>& candidates, Shell& shell,
                                    std::vector<std::string>& warnings) {
  const auto specification = wanted.device.twin();
  if (!specification) {
    return specification.error().kind == Errc::unknown_name
               ? fail(Errc::unknown_name, "{}; also the GPUs of this machine, gpu0, gpu1, ...",
                      specification.error().message)
               : specification.error();
  }
  sweep::SimulatedExecutor::Settings settings;
  settings.batch = experiment.grid.batch;
  settings.precision = experiment.precision;
  settings.duration = experiment.duration;
  settings.warm_up = experiment.warm_up;
  settings.epoch = shell.clock().wall_now();
  settings.seed = experiment.seed;
  std::vector<sweep::SimulatedExecutor::Candidate> networks;
  for (const profile::LoadedNetwork& each : candidates) networks.push_back({each.name, each.network});
  warnings = profile::network_warnings(candidates, [&](const graph::Network& network) {
    return device::precision_warnings(network, experiment.precision, *specification);
  });
  auto executor = sweep::SimulatedExecutor::open(*specification, networks, settings);
  if (!executor) return executor.error();
  return Executor(std::move(*executor));
}

Result<Executor> device_executor(const SweepSettings& wanted, const sweep::Experiment& experiment,
                                 std::vector<profile::LoadedNetwork> candidates, profile::TestBench& bench) {
  std::optional<sweep::DeviceExecutor::Control> control;
  if (wanted.locks_clocks()) {
    const auto store = bench.lease_store();
    if (!store) return store.error();
    control = {*store, device::ControlAllowed::by_user()};
  }
  sweep::DeviceExecutor::Settings settings;
  settings.duration = experiment.duration;
  settings.warm_up = experiment.warm_up;
  settings.precision = experiment.precision;
  settings.layout = profile::default_layout(experiment.precision);
  settings.seed = experiment.seed;
  return Executor(std::make_unique<sweep::DeviceExecutor>(*bench.gpu(), bench.engine(), bench.power_meter(),
                                                          bench.clock(), std::move(control),
                                                          std::move(candidates), settings));
}

}  // namespace

Result<std::unique_ptr<SweepExecutor>> SweepExecutor::open(const SweepSettings& settings,
                                                           const sweep::Experiment& experiment,
                                                           std::vector<profile::LoadedNetwork> candidates,
                                                           Shell& shell) {
  std::unique_ptr<SweepExecutor> all(new SweepExecutor());
  Result<Executor> executor =
      fail(Errc::unsupported, "--device: processor clocks are not supported; use a GPU or a twin");
  switch (settings.device.kind()) {
    case device::NameKind::processor:
      break;
    case device::NameKind::twin:
      executor = simulated_executor(settings, experiment, candidates, shell, all->warnings_);
      break;
    case device::NameKind::gpu:
      if (settings.locks_clocks() && !settings.allow_control)
        return fail(Errc::permission,
                    "locking clocks requires --allow-control; --clocks default runs unlocked");
      auto bench = profile::TestBench::open({settings.device.name, settings.allow_control, settings.seed},
                                            {shell.clock(), shell.stop(), shell.notify()});
      if (!bench) return bench.error();
      all->bench_ = std::move(*bench);
      all->warnings_ = profile::network_warnings(candidates, [&](const graph::Network& network) {
        return all->bench_->engine().warnings(network, {.precision = experiment.precision});
      });
      executor = device_executor(settings, experiment, std::move(candidates), *all->bench_);
      break;
  }
  if (!executor) return executor.error();
  all->executor_ = std::move(*executor);
  return all;
}

}  // namespace ergon::app
