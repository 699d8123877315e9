#include "sweep/sweep_bench.h"

#include "device/twin/catalogue.h"
#include "sweep/device_bench.h"
#include "sweep/twin/simulated_bench.h"

namespace ergon::app {
namespace {

Result<std::unique_ptr<sweep::Bench>> simulated_bench(const SweepSettings& wanted,
                                                      const std::vector<profile::Candidate>& candidates,
                                                      Shell& shell) {
  const auto specification = device::find_device(wanted.device);
  if (!specification) {
    return specification.error().kind == Errc::not_found
               ? fail(Errc::not_found, "{}; besides twins there are the GPUs of this machine, gpu0 and so on",
                      specification.error().message)
               : specification.error();
  }
  sweep::SimulatedBench::Settings settings;
  settings.batch = static_cast<std::int64_t>(wanted.batch);
  settings.precision = wanted.precision_value();
  settings.time = wanted.time.value_or(settings.time);
  settings.warm_up = wanted.warm_up.value_or(settings.warm_up);
  settings.epoch = shell.clock().wall_now();
  settings.seed = wanted.seed;
  std::vector<sweep::SimulatedBench::Candidate> networks;
  for (const profile::Candidate& each : candidates) networks.push_back({each.name, each.network});
  auto bench = sweep::SimulatedBench::open(*specification, networks, settings);
  if (!bench) return bench.error();
  return std::unique_ptr<sweep::Bench>(std::move(*bench));
}

}  // namespace

Result<std::unique_ptr<SweepBench>> SweepBench::open(const SweepSettings& settings,
                                                     std::vector<profile::Candidate> candidates,
                                                     Shell& shell) {
  std::unique_ptr<SweepBench> all(new SweepBench());
  if (TestBench::is_processor(settings.device)) {
    return fail(Errc::unsupported, "a processor's clocks cannot be swept; GPUs and twins can");
  }
  if (!TestBench::is_gpu(settings.device)) {
    auto bench = simulated_bench(settings, candidates, shell);
    if (!bench) return bench.error();
    all->bench_ = std::move(*bench);
    return all;
  }
  const bool locks = settings.clocks != "own";
  if (locks && !settings.allow_control) {
    return fail(
        Errc::permission,
        "locking clocks changes the GPU for a while and needs --allow-control; without, --clocks own runs "
        "at the clock it is at");
  }
  auto machine = TestBench::open({settings.device, settings.allow_control, settings.seed}, shell);
  if (!machine) return machine.error();
  all->machine_ = std::move(*machine);
  std::optional<sweep::DeviceBench::Control> control;
  if (locks) {
    const auto place = all->machine_->lease_place();
    if (!place) return place.error();
    control = {*place, device::ControlAllowed::by_user()};
  }
  sweep::DeviceBench::Settings method;
  method.time = settings.time.value_or(method.time);
  method.warm_up = settings.warm_up.value_or(method.warm_up);
  method.precision = settings.precision_value();
  method.layout = profile::usual_layout(method.precision);
  method.seed = settings.seed;
  all->bench_ = std::make_unique<sweep::DeviceBench>(*all->machine_->gpu(), all->machine_->engine(),
                                                     all->machine_->watch(), all->machine_->clock(),
                                                     std::move(control), std::move(candidates), method);
  return all;
}

}  // namespace ergon::app
