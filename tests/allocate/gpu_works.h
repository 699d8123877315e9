#pragma once

#include <string>
#include <vector>

#include "allocate/gpu/gpu_plan.h"
#include "device/twin/catalog.h"
#include "graph/builder.h"
#include "graph/zoo/zoo.h"

namespace ergon::allocate {

inline graph::Network zoo_network(const std::string& name) {
  return graph::zoo::build(*graph::zoo::find(name).value()).value();
}

// Two equal convolutions, a norm, an activation and a pooling layer: few enough for exhaustive search.
inline graph::Network tiny_network() {
  graph::Builder b("test", "tiny");
  auto x = b.input("input", "Input", graph::Shape::image_of(16, 56, 56));
  graph::Convolution conv;
  conv.window = graph::Window::square(3, 1, 1);
  conv.out_channels = 16;
  x = b.add("conv_1", "Conv", conv, {x});
  x = b.add("norm", "BatchNorm", graph::BatchNorm{}, {x});
  x = b.add("conv_2", "Conv", conv, {x});
  x = b.add("act", "Relu", graph::Elementwise{}, {x});
  x = b.add("mean", "Mean", graph::AdaptivePool{graph::PoolKind::average, graph::Extent::same(2, 1)}, {x});
  return b.finish({x}).value();
}

inline GpuWork work_on(const std::string& gpu, const graph::Network& network, const GpuSettings& settings) {
  return GpuWork::of(network, device::find_device(gpu).value(), settings).value();
}

// One iteration at these clocks, computed with the twin's functions only: kernel by kernel, with a switch
// wherever a step runs at another clock than the previous one, around the ring.
inline StepCost added_up(const GpuWork& work, const graph::Network& network, const std::vector<Hertz>& clocks,
                         Seconds switch_time) {
  const device::Specification& gpu = work.gpu();
  const device::Workload& workload = work.workload();
  const auto launches = sequence_of(network, workload).value();
  StepCost sum;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const device::Operation& operation = workload.operations[launches[i].operation];
    device::Activity activity;
    for (const device::Kernel& kernel :
         launches[i].pass == Pass::forward ? operation.forward : operation.backward) {
      const device::KernelCost demand = device::kernel_cost(kernel, workload.precision, gpu);
      const Seconds time = device::time_of(demand, gpu, clocks[i]).total;
      activity.gpu += time;
      activity.busy += time * demand.occupancy;
      activity.work += demand.work;
      activity.transfers += demand.transfers;
    }
    activity.time = activity.gpu;
    sum.time += activity.time;
    sum.energy += device::power_of(activity, gpu, clocks[i], work.temperature()) * activity.time;
    if (clocks[i] == clocks[(i + clocks.size() - 1) % clocks.size()]) continue;
    sum.time += switch_time;
    sum.energy += device::resident_power(gpu, work.top(), work.temperature()) * switch_time;
  }
  return sum;
}

}  // namespace ergon::allocate
