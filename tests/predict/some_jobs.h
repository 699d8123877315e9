#pragma once

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "device/twin/catalogue.h"
#include "device/twin/estimate.h"
#include "graph/zoo/zoo.h"
#include "predict/placed_task.h"
#include "predict/sample.h"
#include "predict/task.h"

namespace ergon::predict::test {

inline device::Specification gpu_called(const std::string& name) { return device::find_device(name).value(); }

// The same chip on a board that no limit and no heat holds down.
inline device::Specification unlimited(device::Specification gpu) {
  gpu.limit.usual = gpu.limit.most = gpu.limit.most * 10;
  gpu.thermal.resistance = device::KelvinsPerWatt{1e-6};
  return gpu;
}

inline device::Specification roomy() { return unlimited(gpu_called("a30")); }

// Of the zoo; each is built once.
inline const graph::Network& network_called(const std::string& name) {
  static std::map<std::string, graph::Network> known;
  if (!known.contains(name)) known[name] = graph::zoo::build(**graph::zoo::find(name)).value();
  return known[name];
}

inline Job job_called(const std::string& name, const Condition& condition) {
  return job_of(network_called(name), condition).value();
}

// One iteration at a clock, task after task: what curves are short for.
inline device::Activity summed(const Job& job, const device::Specification& gpu, Hertz clock) {
  device::Activity sum;
  for (const Task& task : job.tasks) {
    const device::Activity each = PlacedTask(task, job.condition.precision, gpu).at(clock, gpu);
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

inline Seconds host_of(const Job& job, const device::Specification& gpu) {
  Seconds host;
  for (const Task& task : job.tasks) host += launch_of(gpu, job.condition.mode) * task.count;
  return host;
}

// From the lowest to the highest, both included.
inline std::vector<Hertz> clocks_of(const device::Specification& gpu, std::size_t count) {
  std::vector<Hertz> clocks;
  for (std::size_t i = 0; i + 1 < count; ++i)
    clocks.push_back(gpu.core.least + (gpu.core.most - gpu.core.least) *
                                          (static_cast<double>(i) / static_cast<double>(count - 1)));
  clocks.push_back(gpu.core.most);
  return clocks;
}

// How far two numbers are apart, as a share.
inline double off(double a, double b) { return std::abs(a / b - 1); }

}  // namespace ergon::predict::test
