#include "predict/placed_job.h"

#include <cmath>

#include "predict/features.h"

namespace ergon::predict {
namespace {

// What is copied for a product costs the host what a copy costs; what a convolution copies for itself is part
// of its call.
Seconds host_of(const Task& task, graph::Mode mode, const HostCosts& hosts) {
  if (task.within_a_call) return Seconds{0};
  return hosts.of(task.hidden ? "transpose" : task.kind, mode);
}

}  // namespace

PlacedJob place(const Job& job, const device::Specification& gpu, const HostCosts& hosts) {
  PlacedJob placed;
  placed.tasks.reserve(job.tasks.size());
  placed.parts.reserve(job.tasks.size());
  for (const Task& task : job.tasks) {
    placed.tasks.emplace_back(task, job.condition.precision, gpu);
    Part part;
    part.count = task.count;
    part.sort = sort_of(task);
    part.host = host_of(task, job.condition.mode, hosts);
    part.idle = hosts.idle_in(job.condition.mode);
    placed.parts.push_back(part);
  }
  return placed;
}

void learn(PlacedJob& placed, const Job& job, const device::Specification& gpu, const Lessons& lessons) {
  std::vector<float> rows;
  rows.reserve(job.tasks.size() * feature_count());
  for (std::size_t i = 0; i < job.tasks.size(); ++i) {
    const Settled settled = settle(placed.tasks[i], gpu, gpu.core.most, gpu.limit.usual);
    placed.parts[i].settled = settled.activity.gpu;
    placed.parts[i].settled_power = settled.power;
    const auto features = features_of(job.tasks[i], placed.tasks[i], settled, job.condition, gpu);
    rows.insert(rows.end(), features.begin(), features.end());
  }
  const auto times = lessons.time.sums(rows, feature_count());
  const auto powers = lessons.power.sums(rows, feature_count());
  for (std::size_t i = 0; i < placed.parts.size(); ++i) {
    if (!lessons.kinds.contains(job.tasks[i].kind)) continue;
    placed.parts[i].time_ratio = times[i];
    placed.parts[i].power_ratio = powers[i];
    placed.parts[i].seen = lessons.operations.contains(job.tasks[i], as_run(job.condition, gpu));
  }
}

device::Activity activity_of(const PlacedJob& placed, const Trust& trust, const device::Specification& gpu,
                             Hertz clock) {
  device::Activity sum;
  for (std::size_t i = 0; i < placed.tasks.size(); ++i) {
    const Part& part = placed.parts[i];
    const device::Activity each = placed.tasks[i].at(clock, gpu);
    const double scale = part.count * std::exp(believed(part, trust) * part.time_ratio + part.shift);
    sum.gpu += each.gpu * scale;
    sum.busy += each.busy * scale;
    sum.work += each.work * part.count;
    sum.transfers += each.transfers * part.count;
  }
  return sum;
}

Seconds host_time(const PlacedJob& placed) {
  Seconds sum;
  for (const Part& part : placed.parts) sum += part.host * part.count;
  return sum;
}

HostCosts usual_hosts(const device::Specification& gpu) {
  HostCosts hosts;
  hosts.set_usual(graph::Mode::inference, gpu.host.inference);
  hosts.set_usual(graph::Mode::training, gpu.host.training);
  return hosts;
}

}  // namespace ergon::predict
