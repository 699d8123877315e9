#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "device/twin/catalog.h"
#include "device/twin/load.h"
#include "device/twin/steady_state.h"
#include "graph/zoo/zoo.h"

namespace ergon::device {

inline Specification device_called(const std::string& name) { return find_device(name).value(); }

// A network of the zoo as a load on a device. Networks are built once.
inline std::shared_ptr<const Load> load_on(const Specification& gpu, const std::string& network = "resnet50",
                                           std::int64_t batch = 64) {
  static std::map<std::pair<std::string, std::int64_t>, Workload> workloads;
  const auto key = std::pair{network, batch};
  if (!workloads.contains(key)) {
    const auto built = graph::zoo::build(*graph::zoo::find(network).value()).value();
    workloads[key] = workload_of(built, batch, graph::Mode::inference, Precision::tf32).value();
  }
  return std::make_shared<const Load>(workloads[key], gpu);
}

// A power limit that lowers the clock: at share `way` between the power of the lowest and of the highest
// clock.
inline Watts limit_between(const Specification& gpu, const Load& load, double way) {
  const Watts low = equilibrium_of(load.at(gpu.core.min), gpu, gpu.core.min).power;
  const Watts high = equilibrium_of(load.at(gpu.core.max), gpu, gpu.core.max).power;
  return low + (high - low) * way;
}

// The same GPU on a board that accepts and holds all relevant limits.
inline Specification with_any_limit(Specification gpu) {
  gpu.limit.min = gpu.limit.holds_from = Watts{1};
  gpu.limit.max *= 3;
  return gpu;
}

inline Specification without_noise(Specification gpu) {
  for (SensorModel& sensor : gpu.sensors) sensor.noise = Watts{0};
  return gpu;
}

}  // namespace ergon::device
