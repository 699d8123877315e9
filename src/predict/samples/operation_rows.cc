#include "predict/samples/operation_rows.h"

#include <algorithm>
#include <cmath>

#include "base/square.h"
#include "base/statistics/quantile.h"
#include "predict/estimate/iteration_estimate.h"
#include "predict/learn/features.h"

namespace ergon::predict {
namespace {

// Operations with shorter kernels measure launch overhead.
constexpr Seconds kTiny{8e-6};
// Rows in which the host was busy for nearly the whole time are host-bound and get a lower weight.
constexpr double kHostBusy = 0.9, kHostBoundWeight = 0.3;
constexpr double kMinWeight = 0.01;
// Quantile of the power of host-bound operations that is taken as idle power.
constexpr double kIdleQuantile = 0.1;

using Times = std::map<std::pair<std::string, graph::Mode>, std::vector<double>>;

void take_medians(const Times& times, LaunchOverhead& overhead) {
  for (const auto& [key, values] : times)
    overhead.set(key.first, key.second, Seconds{*statistics::median(values)});
}

// Kernel time of a row that took longer than its launch overhead: time^2 = kernels^2 + host^2.
Seconds beyond(Seconds time, Seconds host) {
  const double both = square(time.si()) - square(host.si());
  return Seconds{both > 0 ? std::sqrt(both) : 0};
}

}  // namespace

double OperationRow::time_ratio() const { return std::log((sample->time / settled).si()); }
double OperationRow::busy(Seconds host) const {
  if (sample->kernels_only) return 1;
  const double kernels = square(std::max(settled, beyond(sample->time, host)).si()),
               launches = square(host.si());
  double busy = kernels + launches > 0 ? kernels / (kernels + launches) : 1;
  if (sample->host && *sample->host > sample->time * kHostBusy) busy *= kHostBoundWeight;
  return std::max(kMinWeight, busy);
}
double OperationRow::power_ratio() const { return std::log((*sample->power / settled_power).si()); }

LaunchOverhead launch_overhead_of(const TrainingData& data, const device::Specification& gpu,
                                  const std::set<std::string>& excluded) {
  LaunchOverhead overhead = default_launch_overhead(gpu);
  Times measured, tiny;
  std::map<graph::Mode, std::vector<double>> idle_powers;
  for (const OperationSample& sample : data.operations) {
    if (sample.kernels_only || excluded.contains(sample.group)) continue;
    const std::pair key{sample.task.kind, sample.config.mode};
    bool host_bound = false;
    if (sample.host) {
      measured[key].push_back(sample.host->si());
      host_bound = *sample.host > sample.time * kHostBusy;
    } else {
      const TaskEstimate estimate(sample.task, sample.config.precision, gpu);
      host_bound = estimate.at(gpu.core.max, gpu).gpu < kTiny;
      if (host_bound) tiny[key].push_back(sample.time.si());
    }
    if (host_bound && sample.power) idle_powers[key.second].push_back(sample.power->si());
  }
  // Operation types without short operations get the median of all types.
  std::map<graph::Mode, std::vector<double>> by_mode;
  for (const Times* times : {&tiny, &measured}) {
    for (const auto& [key, values] : *times)
      by_mode[key.second].insert(by_mode[key.second].end(), values.begin(), values.end());
  }
  for (const auto& [mode, values] : by_mode) overhead.set_default(mode, Seconds{*statistics::median(values)});
  take_medians(tiny, overhead);
  take_medians(measured, overhead);
  for (const auto& [mode, values] : idle_powers)
    overhead.set_idle(mode, Watts{*statistics::quantile(values, kIdleQuantile)});
  return overhead;
}

std::vector<OperationRow> operation_rows(const TrainingData& data, const device::Specification& gpu) {
  std::vector<OperationRow> rows;
  rows.reserve(data.operations.size());
  for (const OperationSample& sample : data.operations) {
    const TaskEstimate estimate(sample.task, sample.config.precision, gpu);
    const Settled settled =
        settle(estimate, gpu, sample.clock.value_or(gpu.core.max), gpu.limit.default_limit);
    rows.push_back({&sample, features_of(sample.task, estimate, settled, sample.config, gpu),
                    settled.activity.gpu, settled.power});
  }
  return rows;
}

void add_to(TrainingRange& range, const OperationSample& sample) {
  const double bytes = traffic_of(sample.task);
  const auto [found, fresh] =
      range.try_emplace({sample.task.kind, sample.config.mode}, TrafficRange{bytes, bytes, 0});
  TrafficRange& traffic = found->second;
  traffic.min = std::min(traffic.min, bytes);
  traffic.max = std::max(traffic.max, bytes);
  ++traffic.rows;
}

TrainingRange range_of(const TrainingData& data) {
  TrainingRange range;
  for (const OperationSample& sample : data.operations) add_to(range, sample);
  return range;
}

}  // namespace ergon::predict
