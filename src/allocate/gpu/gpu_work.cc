#include "allocate/gpu/gpu_work.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/units_text.h"
#include "device/twin/clock_grid.h"
#include "device/twin/estimate.h"
#include "device/twin/estimate_notes.h"

namespace ergon::allocate {
namespace {

// Removes host time.
device::Activity without_host(device::Activity activity) {
  activity.host = Seconds{0};
  activity.time = activity.gpu;
  return activity;
}

}  // namespace

GpuWork::GpuWork(device::Workload workload, const device::Specification& gpu)
    : gpu_(gpu), workload_(std::move(workload)), load_(workload_, gpu_) {}

Result<GpuWork> GpuWork::of(const graph::Network& network, const device::Specification& gpu,
                            const GpuSettings& settings) {
  auto workload = device::workload_of(network, settings.batch, settings.mode, settings.precision);
  if (!workload) return workload.error();
  const auto launches = sequence_of(network, *workload);
  if (!launches) return launches.error();
  if (launches->empty()) {
    return fail(Errc::invalid_input, "{} launches no kernels on a GPU; there is no clock to choose",
                network.name);
  }
  // Checks that the GPU can run the workload.
  const auto possible = device::estimate(*workload, gpu, {.clock = {}, .limit = settings.power_limit});
  if (!possible) return possible.error();
  if (settings.switch_time && *settings.switch_time < Seconds{0}) {
    return fail(Errc::invalid_input, "--switch-time must not be negative");
  }
  GpuWork work(std::move(*workload), gpu);
  work.warnings_ = device::precision_warnings(network, settings.precision, gpu);
  work.switch_time_ = settings.switch_time.value_or(gpu.clock_switch);
  work.add_steps(network, *launches);
  work.choose_clocks(settings);
  return work;
}

void GpuWork::add_steps(const graph::Network& network, const std::vector<StepLaunch>& launches) {
  std::map<std::pair<std::size_t, Pass>, std::size_t> known;
  for (const StepLaunch& launch : launches) {
    const device::Operation& operation = workload_.operations[launch.operation];
    const auto [found, fresh] = known.try_emplace({launch.operation, launch.pass}, groups_.size());
    if (fresh) {
      device::OperationLoad load{launch.operation, 1, {}};
      const auto& kernels = launch.pass == Pass::forward ? operation.forward : operation.backward;
      for (const device::Kernel& kernel : kernels)
        load.kernel_costs.push_back(device::kernel_cost(kernel, workload_.precision, gpu_));
      groups_.push_back(std::move(load));
    }
    const graph::Layer& layer = network.layers[network.nodes[launch.node].layer];
    steps_.push_back({layer.name, operation.kind, launch.pass, found->second, {}});
  }
}

void GpuWork::choose_clocks(const GpuSettings& settings) {
  const auto all_at = [&](Hertz clock) { return without_host(load_.at(clock)); };
  const Watts limit =
      std::max(settings.power_limit.value_or(gpu_.limit.default_limit), gpu_.limit.holds_from);
  const device::ClockGrid grid(gpu_.core);
  std::size_t level = grid.step_at_or_below(device::regulated_clock(all_at, gpu_, gpu_.core.max, limit));
  const Hertz top = grid.at(level);
  temperature_ = device::equilibrium_of(all_at(top), gpu_, top).temperature;

  clocks_ = {top};
  constexpr double kClockRounding = 1e-9;
  const Hertz step = settings.clock_step.value_or(Hertz{0}) * (1 - kClockRounding);
  while (level-- > 0) {
    if (clocks_.back() - grid.at(level) >= step) clocks_.push_back(grid.at(level));
  }
  std::reverse(clocks_.begin(), clocks_.end());

  for (std::size_t i = 0; i < groups_.size(); ++i) {
    for (const Hertz clock : clocks_) costs_.push_back(cost_of(i, clock));
  }
  for (GpuStep& each : steps_) each.bound = device::bound_of(activity_of(each.group, top));
}

device::Activity GpuWork::activity_of(std::size_t group, Hertz clock) const {
  return without_host(load_.of(groups_[group], clock));
}

StepCost GpuWork::cost_of(std::size_t group, Hertz clock) const {
  const device::Activity activity = activity_of(group, clock);
  return {activity.time, device::power_of(activity, gpu_, clock, temperature_) * activity.time};
}

Hertz GpuWork::min_clock(std::size_t step, Seconds allowed) const {
  Hertz low = gpu_.core.min, high = top();
  if (at(step, low).time <= allowed) return low;
  constexpr int kHalvings = 40;
  for (int i = 0; i < kHalvings; ++i) {
    const Hertz middle = (low + high) / 2;
    (at(step, middle).time <= allowed ? high : low) = middle;
  }
  return high;
}

}  // namespace ergon::allocate
