#include "calibrate/compare.h"

#include <algorithm>
#include <cmath>

#include "calibrate/anchored.h"
#include "device/twin/steady_state.h"

namespace ergon::calibrate {
namespace {

bool is_fitted(const device::Specification& gpu, const std::string& name) {
  return std::find(gpu.fitted.begin(), gpu.fitted.end(), name) != gpu.fitted.end();
}

// A burst of kernels this long is measured by every sensor.
constexpr Seconds kMinBurst{0.1};

// A maximum power near the idle power means that no reading was taken while kernels ran.
constexpr double kIdleMargin = 1.3;

// As in predictions: launches that take more than this share of the kernel time determine the time, or
// nearly.
constexpr double kHostBoundShare = 0.7;

bool kernels_were_measured(const NetworkRow& row, const device::Load& load,
                           const device::Specification& gpu) {
  const Hertz clock = row.clock.value_or(gpu.core.max);
  return load.at(clock).gpu >= kMinBurst &&
         *row.power > device::resident_power(gpu, clock, gpu.thermal.ambient) * kIdleMargin;
}

// The maximum power reading of a GPU that alternates between running kernels and waiting for the host.
Watts power_while_busy(const device::Load& load, const device::Specification& gpu,
                       const device::ClockAndLimit& setting) {
  const auto busy_at = [&](Hertz clock) {
    device::Activity activity = load.at(clock);
    activity.time = activity.gpu;
    return activity;
  };
  const Hertz requested = setting.clock.value_or(gpu.core.max);
  const Watts limit = std::max(setting.limit.value_or(gpu.limit.default_limit), gpu.limit.holds_from);
  const Hertz clock = device::regulated_clock(busy_at, gpu, requested, limit);
  return device::equilibrium_of(busy_at(clock), gpu, clock).power;
}

// For rows with a measured kernel time: compares the kernel time, and the power at the measured iteration
// time.
template <typename Add>
void compare_busy(const NetworkRow& row, const device::Load& load, const device::Specification& gpu,
                  const Add& add) {
  const auto activity_at = [&](Hertz clock) {
    device::Activity activity = load.at(clock);
    activity.time = std::max(activity.gpu, row.time.value_or(activity.time));
    return activity;
  };
  const Hertz clock = device::regulated_clock(activity_at, gpu, gpu.core.max, gpu.limit.default_limit);
  add("gpu_time", load.at(clock).gpu.si(), row.gpu->si());
  if (row.power)
    add("power", device::equilibrium_of(activity_at(clock), gpu, clock).power.si(), row.power->si());
}

void compare_network(const NetworkRow& row, const device::Specification& gpu, std::vector<Comparison>& all) {
  if (row.workload->batch < kMinBatch && !row.maximum) return;
  const device::Load load(*row.workload, gpu);
  const bool fitted = is_fitted(gpu, row.network);
  const device::ClockAndLimit setting{row.clock, row.limit};
  const device::Activity at_clock = load.at(setting.clock.value_or(gpu.core.max));
  const device::RunKind kind{row.workload->mode, row.workload->precision,
                             at_clock.host > at_clock.gpu * kHostBoundShare};
  const auto add = [&](const char* quantity, double expected, double measured) {
    all.push_back({row.device, row.table, quantity, row.network, expected, measured, fitted, kind});
  };
  if (row.maximum) {
    return add(kernels_were_measured(row, load, gpu) ? "power_maximum" : "power_maximum_unseen",
               power_while_busy(load, gpu, setting).si(), row.power->si());
  }
  if (row.gpu) return compare_busy(row, load, gpu, add);
  const device::SteadyState state = device::steady_state(load, gpu, setting);
  if (row.power) add("power", state.power.si(), row.power->si());
  if (row.time) add("time", state.activity.time.si(), row.time->si());
  if (row.power && row.time)
    add("energy", (state.power * state.activity.time).si(), (*row.power * *row.time).si());
}

// Slowdown relative to the highest power limit of the same network and batch.
void compare_slowdowns(const MeasuredTables& measured, const Twins& twins, std::vector<Comparison>& all) {
  for (const NetworkRow& row : measured.networks) {
    const auto gpu = twins.find(row.device);
    if (!row.limit || !row.time || gpu == twins.end() || row.workload->batch < kMinBatch) continue;
    const NetworkRow* free = &row;
    for (const NetworkRow& other : measured.networks) {
      if (other.workload == row.workload && other.table == row.table && other.limit && other.time &&
          *other.limit > *free->limit) {
        free = &other;
      }
    }
    if (free == &row) continue;
    const device::Load load(*row.workload, gpu->second);
    const auto time = [&](const NetworkRow& at) {
      return device::steady_state(load, gpu->second, {{}, at.limit}).activity.time;
    };
    all.push_back({row.device, row.table, "slowdown", row.network, (time(row) / time(*free)).si(),
                   (*row.time / *free->time).si(), is_fitted(gpu->second, row.network)});
  }
}

void compare_application(const Application& application, const device::Specification& gpu,
                         std::vector<Comparison>& all) {
  Application used = application;
  std::erase_if(used.points,
                [&](const ApplicationPoint& point) { return point.time && point.clock < kMinClock; });
  if (used.points.size() < 2) return;
  const std::size_t anchor = default_anchor(used, gpu);
  const auto expected = anchored(used, anchor, gpu);
  const bool fitted = is_fitted(gpu, application.name);
  for (std::size_t i = 0; i < used.points.size(); ++i) {
    const ApplicationPoint& point = used.points[i];
    if (i == anchor) continue;
    all.push_back({application.device, application.table, "power", application.name, expected[i].power.si(),
                   point.power.si(), fitted});
    if (!point.time) continue;
    const Seconds time = *used.points[anchor].time * expected[i].time;
    all.push_back({application.device, application.table, "time", application.name, time.si(),
                   point.time->si(), fitted});
  }
}

}  // namespace

std::vector<Comparison> compare(const MeasuredTables& measured, const Twins& twins) {
  std::vector<Comparison> all;
  for (const NetworkRow& row : measured.networks) {
    if (const auto gpu = twins.find(row.device); gpu != twins.end()) compare_network(row, gpu->second, all);
  }
  compare_slowdowns(measured, twins, all);
  for (const Application& application : measured.applications) {
    if (const auto gpu = twins.find(application.device); gpu != twins.end())
      compare_application(application, gpu->second, all);
  }
  return all;
}

std::vector<TwinAccuracy> accuracy_by_table(const std::vector<Comparison>& comparisons) {
  std::vector<TwinAccuracy> all;
  for (const Comparison& each : comparisons) {
    auto found = std::find_if(all.begin(), all.end(), [&](const TwinAccuracy& at) {
      return at.device == each.device && at.table == each.table && at.quantity == each.quantity;
    });
    if (found == all.end()) found = all.insert(all.end(), {each.device, each.table, each.quantity});
    (each.fitted ? found->mape_fitted : found->mape_held_out) += std::fabs(each.error());
    ++(each.fitted ? found->rows_fitted : found->rows_held_out);
    if (each.kind && !each.fitted) found->kinds_held_out.insert(*each.kind);
  }
  for (TwinAccuracy& each : all) {
    if (each.rows_fitted > 0) each.mape_fitted /= static_cast<double>(each.rows_fitted);
    if (each.rows_held_out > 0) each.mape_held_out /= static_cast<double>(each.rows_held_out);
  }
  return all;
}

}  // namespace ergon::calibrate
