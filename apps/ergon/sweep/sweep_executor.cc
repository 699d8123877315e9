#include "sweep/sweep_executor.h"

#include "device/twin/catalog.h"
#include "sweep/device_executor.h"
#include "sweep/twin/simulated_executor.h"

namespace ergon::app {
namespace {

Result<std::unique_ptr<sweep::RunExecutor>> simulated_executor(
    const SweepSettings& wanted, const std::vector<profile::LoadedNetwork>& candidates, Shell& shell) {
  const auto specification = device::find_device(wanted.device);
  if (!specification) {
    return specification.error().kind == Errc::unknown_name
               ? fail(Errc::unknown_name, "{}; also the GPUs of this machine, gpu0, gpu1, ...",
                      specification.error().message)
               : specification.error();
  }
  sweep::SimulatedExecutor::Settings settings;
  settings.batch = static_cast<std::int64_t>(wanted.batch);
  settings.precision = wanted.precision_value();
  settings.duration = wanted.duration.value_or(settings.duration);
  settings.warm_up = wanted.warm_up.value_or(settings.warm_up);
  settings.epoch = shell.clock().wall_now();
  settings.seed = wanted.seed;
  std::vector<sweep::SimulatedExecutor::Candidate> networks;
  for (const profile::LoadedNetwork& each : candidates) networks.push_back({each.name, each.network});
  auto executor = sweep::SimulatedExecutor::open(*specification, networks, settings);
  if (!executor) return executor.error();
  return std::unique_ptr<sweep::RunExecutor>(std::move(*executor));
}

}  // namespace

Result<std::unique_ptr<SweepExecutor>> SweepExecutor::open(const SweepSettings& settings,
                                                           std::vector<profile::LoadedNetwork> candidates,
                                                           Shell& shell) {
  std::unique_ptr<SweepExecutor> all(new SweepExecutor());
  if (TestBench::is_processor(settings.device)) {
    return fail(Errc::unsupported, "--device: processor clocks are not supported; use a GPU or a twin");
  }
  if (!TestBench::is_gpu(settings.device)) {
    auto executor = simulated_executor(settings, candidates, shell);
    if (!executor) return executor.error();
    all->executor_ = std::move(*executor);
    return all;
  }
  const bool locks = settings.clocks != "default";
  if (locks && !settings.allow_control) {
    return fail(Errc::permission, "locking clocks requires --allow-control; --clocks default runs unlocked");
  }
  auto machine = TestBench::open({settings.device, settings.allow_control, settings.seed}, shell);
  if (!machine) return machine.error();
  all->machine_ = std::move(*machine);
  std::optional<sweep::DeviceExecutor::Control> control;
  if (locks) {
    const auto place = all->machine_->lease_store();
    if (!place) return place.error();
    control = {*place, device::ControlAllowed::by_user()};
  }
  sweep::DeviceExecutor::Settings method;
  method.duration = settings.duration.value_or(method.duration);
  method.warm_up = settings.warm_up.value_or(method.warm_up);
  method.precision = settings.precision_value();
  method.layout = profile::default_layout(method.precision);
  method.seed = settings.seed;
  all->executor_ = std::make_unique<sweep::DeviceExecutor>(
      *all->machine_->gpu(), all->machine_->engine(), all->machine_->power_meter(), all->machine_->clock(),
      std::move(control), std::move(candidates), method);
  return all;
}

}  // namespace ergon::app
