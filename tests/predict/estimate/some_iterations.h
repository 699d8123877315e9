#pragma once

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "device/twin/catalog.h"
#include "device/twin/estimate.h"
#include "graph/zoo/zoo.h"
#include "predict/estimate/task.h"
#include "predict/estimate/task_estimate.h"
#include "predict/samples/sample.h"

namespace ergon::predict::test {

inline device::Specification gpu_named(const std::string& name) { return device::find_device(name).value(); }

// The same GPU without power and thermal limits.
inline device::Specification unlimited(device::Specification gpu) {
  gpu.limit.default_limit = gpu.limit.max = gpu.limit.max * 10;
  gpu.thermal.resistance = device::KelvinsPerWatt{1e-6};
  return gpu;
}

inline device::Specification roomy() { return unlimited(gpu_named("a30")); }

// A network of the zoo, built once.
inline const graph::Network& network_named(std::string_view name) {
  static std::map<std::string, graph::Network, std::less<>> known;
  auto found = known.find(name);
  if (found == known.end())
    found = known.emplace(name, graph::zoo::build(**graph::zoo::find(name)).value()).first;
  return found->second;
}

inline Iteration iteration_named(const std::string& name, const WorkloadConfig& config) {
  return iteration_of(network_named(name), config).value();
}

// One iteration at a clock, the exact sum over its tasks.
inline device::Activity summed(const Iteration& iteration, const device::Specification& gpu, Hertz clock) {
  device::Activity sum;
  for (const Task& task : iteration.tasks) {
    const device::Activity each = TaskEstimate(task, iteration.config.precision, gpu).at(clock, gpu);
    sum.gpu += each.gpu * task.count;
    sum.busy += each.busy * task.count;
    sum.work += each.work * task.count;
    sum.transfers += each.transfers * task.count;
  }
  return sum;
}

inline Seconds launch_of(const device::Specification& gpu, graph::Mode mode) {
  return mode == graph::Mode::training ? gpu.host.training : gpu.host.inference;
}

inline Seconds host_of(const Iteration& iteration, const device::Specification& gpu) {
  Seconds host;
  for (const Task& task : iteration.tasks) host += launch_of(gpu, iteration.config.mode) * task.count;
  return host;
}

// From the lowest to the highest, both included.
inline std::vector<Hertz> clocks_of(const device::Specification& gpu, std::size_t count) {
  std::vector<Hertz> clocks;
  for (std::size_t i = 0; i + 1 < count; ++i)
    clocks.push_back(gpu.core.min + (gpu.core.max - gpu.core.min) *
                                        (static_cast<double>(i) / static_cast<double>(count - 1)));
  clocks.push_back(gpu.core.max);
  return clocks;
}

// Relative difference.
inline double off(double a, double b) { return std::abs(a / b - 1); }

}  // namespace ergon::predict::test
