#include "calibrate/compare.h"

#include <algorithm>
#include <cmath>

#include "calibrate/anchored.h"
#include "device/twin/steady.h"

namespace ergon::calibrate {
namespace {

bool took_part(const device::Specification& gpu, const std::string& name) {
  return std::find(gpu.fitted.begin(), gpu.fitted.end(), name) != gpu.fitted.end();
}

// A burst of kernels this long meets a reading, whoever reads and however the sensor updates.
constexpr Seconds kSurelySeen{0.1};

// A highest reading near that of an idle context met no kernel.
constexpr double kIdleMargin = 1.3;

bool saw_kernels(const NetworkRow& row, const device::Load& load, const device::Specification& gpu) {
  const Hertz clock = row.clock.value_or(gpu.core.most);
  return load.at(clock).gpu >= kSurelySeen &&
         *row.power > device::resident_power(gpu, clock, gpu.thermal.ambient) * kIdleMargin;
}

// The highest reading of a sensor that sees kernels at work and, in between, waiting for the host.
Watts power_while_busy(const device::Load& load, const device::Specification& gpu,
                       const device::Setting& setting) {
  const auto busy_at = [&](Hertz clock) {
    device::Activity activity = load.at(clock);
    activity.time = activity.gpu;
    return activity;
  };
  const Hertz asked = setting.clock.value_or(gpu.core.most);
  const Watts limit = std::max(setting.limit.value_or(gpu.limit.usual), gpu.limit.holds_from);
  const Hertz clock = device::regulated_clock(busy_at, gpu, asked, limit);
  return device::equilibrium_of(busy_at(clock), gpu, clock).power;
}

// Where the time with kernels running was measured by itself: that, and the power at the pace that the host
// set.
template <typename Add>
void compare_busy(const NetworkRow& row, const device::Load& load, const device::Specification& gpu,
                  const Add& add) {
  const auto paced = [&](Hertz clock) {
    device::Activity activity = load.at(clock);
    activity.time = std::max(activity.gpu, row.time.value_or(activity.time));
    return activity;
  };
  const Hertz clock = device::regulated_clock(paced, gpu, gpu.core.most, gpu.limit.usual);
  add("gpu_time", load.at(clock).gpu.si(), row.gpu->si());
  if (row.power) add("power", device::equilibrium_of(paced(clock), gpu, clock).power.si(), row.power->si());
}

void compare_network(const NetworkRow& row, const device::Specification& gpu, std::vector<Comparison>& all) {
  if (row.workload->batch < kLeastBatch && !row.maximum) return;
  const device::Load load(*row.workload, gpu);
  const bool fitted = took_part(gpu, row.network);
  const auto add = [&](const char* quantity, double expected, double seen) {
    all.push_back({row.device, row.table, quantity, row.network, expected, seen, fitted});
  };
  const device::Setting setting{row.clock, row.limit};
  if (row.maximum) {
    return add(saw_kernels(row, load, gpu) ? "power_maximum" : "power_maximum_unseen",
               power_while_busy(load, gpu, setting).si(), row.power->si());
  }
  if (row.gpu) return compare_busy(row, load, gpu, add);
  const device::SteadyState state = device::steady_state(load, gpu, setting);
  if (row.power) add("power", state.power.si(), row.power->si());
  if (row.time) add("time", state.activity.time.si(), row.time->si());
  if (row.power && row.time)
    add("energy", (state.power * state.activity.time).si(), (*row.power * *row.time).si());
}

// Against the highest limit of the same network and batch.
void compare_slowdowns(const Measured& measured, const Twins& twins, std::vector<Comparison>& all) {
  for (const NetworkRow& row : measured.networks) {
    const auto gpu = twins.find(row.device);
    if (!row.limit || !row.time || gpu == twins.end() || row.workload->batch < kLeastBatch) continue;
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
                   (*row.time / *free->time).si(), took_part(gpu->second, row.network)});
  }
}

void compare_application(const Application& application, const device::Specification& gpu,
                         std::vector<Comparison>& all) {
  Application used = application;
  std::erase_if(used.points,
                [&](const ApplicationPoint& point) { return point.time && point.clock < kLeastClock; });
  if (used.points.size() < 2) return;
  const std::size_t anchor = usual_anchor(used, gpu);
  const auto expected = anchored(used, anchor, gpu);
  const bool fitted = took_part(gpu, application.name);
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

std::vector<Comparison> compare(const Measured& measured, const Twins& twins) {
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

std::vector<Agreement> agreements(const std::vector<Comparison>& comparisons) {
  std::vector<Agreement> all;
  for (const Comparison& each : comparisons) {
    auto found = std::find_if(all.begin(), all.end(), [&](const Agreement& at) {
      return at.device == each.device && at.table == each.table && at.quantity == each.quantity;
    });
    if (found == all.end()) found = all.insert(all.end(), {each.device, each.table, each.quantity});
    (each.fitted ? found->mape_fitted : found->mape_held_back) += std::fabs(each.error());
    ++(each.fitted ? found->rows_fitted : found->rows_held_back);
  }
  for (Agreement& each : all) {
    if (each.rows_fitted > 0) each.mape_fitted /= static_cast<double>(each.rows_fitted);
    if (each.rows_held_back > 0) each.mape_held_back /= static_cast<double>(each.rows_held_back);
  }
  return all;
}

}  // namespace ergon::calibrate
