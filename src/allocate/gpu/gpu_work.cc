#include "allocate/gpu/gpu_work.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/units_text.h"
#include "device/twin/clock_grid.h"
#include "device/twin/estimate.h"

namespace ergon::allocate {
namespace {

// As if the host were never late.
device::Activity never_starved(device::Activity activity) {
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
  // Only asked whether the GPU can do this at all.
  const auto possible = device::estimate(*workload, gpu, {.clock = {}, .limit = settings.limit});
  if (!possible) return possible.error();
  const auto launches = sequence_of(network, *workload);
  if (!launches) return launches.error();
  if (launches->empty()) {
    return fail(Errc::invalid_input, "{} launches nothing on a GPU: there is no clock to choose",
                network.name);
  }
  if (settings.switch_time && *settings.switch_time < Seconds{0}) {
    return fail(Errc::invalid_input, "a change of clock cannot take less than no time");
  }
  GpuWork work(std::move(*workload), gpu);
  work.switch_time_ = settings.switch_time.value_or(gpu.clock_switch);
  work.place(network, *launches);
  work.choose_clocks(settings);
  return work;
}

void GpuWork::place(const graph::Network& network, const std::vector<Launch>& launches) {
  std::map<std::pair<std::size_t, Pass>, std::size_t> known;
  for (const Launch& launch : launches) {
    const device::Operation& operation = workload_.operations[launch.operation];
    const auto [found, fresh] = known.try_emplace({launch.operation, launch.pass}, alike_.size());
    if (fresh) {
      device::OperationLoad load{launch.operation, 1, {}};
      const auto& kernels = launch.pass == Pass::forward ? operation.forward : operation.backward;
      for (const device::Kernel& kernel : kernels)
        load.demands.push_back(device::demand_of(kernel, workload_.precision, gpu_));
      alike_.push_back(std::move(load));
    }
    const graph::Layer& layer = network.layers[network.nodes[launch.node].layer];
    steps_.push_back({layer.name, operation.kind, launch.pass, found->second, {}});
  }
}

void GpuWork::choose_clocks(const GpuSettings& settings) {
  const auto all_at = [&](Hertz clock) { return never_starved(load_.at(clock)); };
  const Watts limit = std::max(settings.limit.value_or(gpu_.limit.usual), gpu_.limit.holds_from);
  const device::ClockGrid grid(gpu_.core);
  std::size_t level = grid.at_most(device::regulated_clock(all_at, gpu_, gpu_.core.most, limit));
  const Hertz top = grid.at(level);
  temperature_ = device::equilibrium_of(all_at(top), gpu_, top).temperature;

  clocks_ = {top};
  constexpr double kClockRounding = 1e-9;
  const Hertz step = settings.clock_step.value_or(Hertz{0}) * (1 - kClockRounding);
  while (level-- > 0) {
    if (clocks_.back() - grid.at(level) >= step) clocks_.push_back(grid.at(level));
  }
  std::reverse(clocks_.begin(), clocks_.end());

  for (std::size_t i = 0; i < alike_.size(); ++i) {
    for (const Hertz clock : clocks_) costs_.push_back(cost_of(i, clock));
  }
  for (GpuStep& each : steps_) each.bound = device::bound_of(activity_of(each.alike, top));
}

device::Activity GpuWork::activity_of(std::size_t alike, Hertz clock) const {
  return never_starved(load_.of(alike_[alike], clock));
}

StepCost GpuWork::cost_of(std::size_t alike, Hertz clock) const {
  const device::Activity activity = activity_of(alike, clock);
  return {activity.time, device::power_of(activity, gpu_, clock, temperature_) * activity.time};
}

Hertz GpuWork::slowest(std::size_t step, Seconds allowed) const {
  Hertz low = gpu_.core.least, high = top();
  if (at(step, low).time <= allowed) return low;
  constexpr int kHalvings = 40;
  for (int i = 0; i < kHalvings; ++i) {
    const Hertz middle = (low + high) / 2;
    (at(step, middle).time <= allowed ? high : low) = middle;
  }
  return high;
}

}  // namespace ergon::allocate
