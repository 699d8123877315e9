#include "predict/operation_rows.h"

#include <algorithm>
#include <cmath>

#include "base/square.h"
#include "base/statistics/quantile.h"
#include "predict/features.h"
#include "predict/placed_job.h"

namespace ergon::predict {
namespace {

// An operation whose kernels take less than this was measured as a host that asks.
constexpr Seconds kTiny{8e-6};
// Rows in which the host was busy nearly all the time count less: something waited.
constexpr double kHostBusy = 0.9, kWaited = 0.3;
constexpr double kLeastWeight = 0.01;
// Of operations that wait, those that draw least draw what an idle device does.
constexpr double kLeastOfAll = 0.1;

using Times = std::map<std::pair<std::string, graph::Mode>, std::vector<double>>;

void take_medians(const Times& times, HostCosts& costs) {
  for (const auto& [key, values] : times)
    costs.set(key.first, key.second, Seconds{*statistics::median(values)});
}

// What kernels must have taken in a row that took longer than its host needs.
Seconds beyond(Seconds time, Seconds host) {
  const double both = square(time.si()) - square(host.si());
  return Seconds{both > 0 ? std::sqrt(both) : 0};
}

}  // namespace

double OperationRow::time_ratio() const { return std::log((sample->time / settled).si()); }
double OperationRow::busy(Seconds host) const {
  if (sample->kernels_only) return 1;
  const double kernels = square(std::max(settled, beyond(sample->time, host)).si()), asks = square(host.si());
  double busy = kernels + asks > 0 ? kernels / (kernels + asks) : 1;
  if (sample->host && *sample->host > sample->time * kHostBusy) busy *= kWaited;
  return std::max(kLeastWeight, busy);
}
double OperationRow::power_ratio() const { return std::log((*sample->power / settled_power).si()); }

HostCosts host_costs(const TrainingData& data, const device::Specification& gpu,
                     const std::set<std::string>& left_out) {
  HostCosts costs = usual_hosts(gpu);
  Times measured, tiny;
  std::map<graph::Mode, std::vector<double>> waiting;
  for (const OperationSample& sample : data.operations) {
    if (sample.kernels_only || left_out.contains(sample.group)) continue;
    const std::pair key{sample.task.kind, sample.condition.mode};
    bool waits = false;
    if (sample.host) {
      measured[key].push_back(sample.host->si());
      waits = *sample.host > sample.time * kHostBusy;
    } else {
      const PlacedTask placed(sample.task, sample.condition.precision, gpu);
      waits = placed.at(gpu.core.most, gpu).gpu < kTiny;
      if (waits) tiny[key].push_back(sample.time.si());
    }
    if (waits && sample.power) waiting[key.second].push_back(sample.power->si());
  }
  // Of operations that were never tiny, the middle of those that were.
  std::map<graph::Mode, std::vector<double>> by_mode;
  for (const Times* times : {&tiny, &measured}) {
    for (const auto& [key, values] : *times)
      by_mode[key.second].insert(by_mode[key.second].end(), values.begin(), values.end());
  }
  for (const auto& [mode, values] : by_mode) costs.set_usual(mode, Seconds{*statistics::median(values)});
  take_medians(tiny, costs);
  take_medians(measured, costs);
  for (const auto& [mode, values] : waiting)
    costs.set_idle(mode, Watts{*statistics::quantile(values, kLeastOfAll)});
  return costs;
}

std::vector<OperationRow> operation_rows(const TrainingData& data, const device::Specification& gpu) {
  std::vector<OperationRow> rows;
  rows.reserve(data.operations.size());
  for (const OperationSample& sample : data.operations) {
    const PlacedTask placed(sample.task, sample.condition.precision, gpu);
    const Settled settled = settle(placed, gpu, sample.clock.value_or(gpu.core.most), gpu.limit.usual);
    rows.push_back({&sample, features_of(sample.task, placed, settled, sample.condition, gpu),
                    settled.activity.gpu, settled.power});
  }
  return rows;
}

void add_to(Range& range, const OperationSample& sample) {
  const double bytes = traffic_of(sample.task);
  const auto [found, fresh] =
      range.try_emplace({sample.task.kind, sample.condition.mode}, Seen{bytes, bytes, 0});
  Seen& seen = found->second;
  seen.least = std::min(seen.least, bytes);
  seen.most = std::max(seen.most, bytes);
  ++seen.rows;
}

Range range_of(const TrainingData& data) {
  Range range;
  for (const OperationSample& sample : data.operations) add_to(range, sample);
  return range;
}

}  // namespace ergon::predict
