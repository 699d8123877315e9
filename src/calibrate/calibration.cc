#include "calibrate/calibration.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "calibrate/anchored.h"
#include "calibrate/fit_parameter.h"
#include "device/twin/steady_state.h"

namespace ergon::calibrate {
namespace {

using device::Specification;

// Absolute log ratio, smooth at 0: a symmetric relative error.
double penalty(double expected, double measured) {
  constexpr double kSmooth = 0.02;
  const double r = std::log(expected / measured);
  return std::sqrt(r * r + kSmooth * kSmooth);
}

// Maximum penalty of a maximum-power reading: a larger error means that the reading missed the kernels.
constexpr double kMaxPenalty = 0.3;

class Mean {
 public:
  void add(double value) { sum_ += value, ++count_; }
  double value() const { return count_ == 0 ? 0 : sum_ / count_; }

 private:
  double sum_ = 0;
  double count_ = 0;
};

// Share of the kernel time that the twin assigns to the wrong class of operation.
double misplaced(const NetworkRow& row, const device::Load& load, const Specification& gpu, Hertz clock) {
  std::map<std::string, double> off;
  double all = 0;
  for (const auto& [part, time] : row.parts) off[part] -= time.si(), all += time.si();
  for (const device::OperationLoad& each : load.operations()) {
    const std::string type(class_of(row.workload->operations[each.operation].kind));
    for (std::size_t i = 0; i < each.kernel_costs.size(); ++i) {
      // The second kernel of a convolution adds its bias.
      off[i == 0 ? type : "elementwise"] +=
          (time_of(each.kernel_costs[i], gpu, clock).total * each.count).si();
    }
  }
  double sum = 0;
  for (const auto& entry : off) sum += std::fabs(entry.second);
  return sum / all / 2;
}

// Resets a fitted fact of a device to a typical value, so that repeated calibrations give the same result.
void reset(Specification& gpu, const std::string& path) {
  if (path == "voltage.knee_mhz") gpu.voltage.knee = gpu.core.max * 0.75;
  if (path == "voltage.ratio_at_most") gpu.voltage.ratio_at_max = 1.25;
  if (path == "power.resident_w") gpu.power.resident = Watts{15};
  if (path == "memory.counter_full_share") gpu.memory.counter_full = 0.9;
  if (path != kBandwidth) return;
  const Hertz knee = gpu.core.max * 0.65;
  for (auto& point : gpu.memory.over_clock.points) point.share = std::min(1.0, (point.clock / knee).si());
}

}  // namespace

Calibration::Calibration(const MeasuredTables& measured, const std::string& device,
                         const Specification& start, const std::stop_token& stop)
    : stop_(stop) {
  fit_.gpu = start;
  for (const std::string& table : measured.tables) {
    std::set<std::string> names;
    for (const NetworkRow& row : measured.networks) {
      if (row.device == device && row.table == table) names.insert(row.network);
    }
    for (const Application& each : measured.applications) {
      if (each.device == device && each.table == table) names.insert(each.name);
    }
    choose_fitted(names);
  }
  for (const NetworkRow& row : measured.networks) {
    if (row.device == device && (row.maximum || row.workload->batch >= kMinBatch) &&
        is_fitted_name(row.network))
      rows_.push_back(row);
  }
  for (Application each : measured.applications) {
    if (each.device != device || !is_fitted_name(each.name)) continue;
    std::erase_if(each.points,
                  [](const ApplicationPoint& point) { return point.time && point.clock < kMinClock; });
    applications_.push_back(std::move(each));
  }
}

// Every other name of a table is fitted, unless an earlier table has already decided.
void Calibration::choose_fitted(const std::set<std::string>& names) {
  bool fitted = true;
  for (const std::string& name : names) {
    if (!seen_.insert(name).second) continue;
    if (fitted) fit_.gpu.fitted.push_back(name);
    fitted = !fitted;
  }
}

bool Calibration::is_fitted_name(const std::string& name) const {
  return std::find(fit_.gpu.fitted.begin(), fit_.gpu.fitted.end(), name) != fit_.gpu.fitted.end();
}

void Calibration::optimize(const Paths& paths, const std::function<double(const Specification&)>& loss,
                           int evaluations) {
  std::vector<FitParameter> parameters;
  for (const std::string& path : paths) {
    const auto& before = fit_.fitted_paths;
    if (std::find(before.begin(), before.end(), path) == before.end()) reset(fit_.gpu, path);
    if (path == kBandwidth) {
      for (FitParameter& each : bandwidth_parameters(fit_.gpu)) parameters.push_back(std::move(each));
    } else {
      parameters.push_back(fit_parameter(path));
    }
    fit_.fitted_paths.push_back(path);
  }
  minimize_loss(fit_.gpu, parameters, loss, evaluations, stop_);
}

double Calibration::busy_loss(const Specification& gpu) const {
  Mean mean;
  for (const NetworkRow& row : rows_) {
    if (!row.gpu) continue;
    const device::Load load(*row.workload, gpu);
    const Hertz clock = row.observed.value_or(gpu.core.max);
    mean.add(penalty(load.at(clock).gpu.si(), row.gpu->si()));
    if (!row.parts.empty()) mean.add(misplaced(row, load, gpu, clock));
  }
  return mean.value();
}

double Calibration::time_loss(const Specification& gpu) const {
  Mean mean;
  for (const NetworkRow& row : rows_) {
    if (!row.time || row.gpu) continue;
    const device::Load load(*row.workload, gpu);
    mean.add(penalty(load.at(row.observed.value_or(gpu.core.max)).time.si(), row.time->si()));
  }
  return mean.value();
}

double Calibration::power_loss(const Specification& gpu) const {
  Mean mean;
  for (const NetworkRow& row : rows_) {
    if (!row.power) continue;
    const device::Load load(*row.workload, gpu);
    const Hertz clock = row.observed.value_or(gpu.core.max);
    device::Activity activity = load.at(clock);
    if (row.gpu && row.time) activity.time = std::max(activity.gpu, *row.time);
    mean.add(penalty(device::equilibrium_of(activity, gpu, clock).power.si(), row.power->si()));
  }
  return mean.value();
}

double Calibration::limited_loss(const Specification& gpu) const {
  Mean mean;
  for (const NetworkRow& row : rows_) {
    const device::Load load(*row.workload, gpu);
    const auto state = device::steady_state(load, gpu, {row.clock, row.limit});
    if (row.time) mean.add(penalty(state.activity.time.si(), row.time->si()));
    if (row.power) mean.add(penalty(state.power.si(), row.power->si()));
  }
  return mean.value();
}

std::vector<Comparison> Calibration::compared(const Specification& gpu) const {
  if (rows_.empty()) return {};
  MeasuredTables tables;
  tables.networks = rows_;
  return compare(tables, {{rows_[0].device, gpu}});
}

double Calibration::maximum_loss(const Specification& gpu) const {
  Mean mean;
  for (const Comparison& each : compared(gpu)) {
    if (each.quantity == "power_maximum")
      mean.add(std::min(kMaxPenalty, penalty(each.expected, each.measured)));
  }
  return mean.value();
}

double Calibration::slowdown_loss(const Specification& gpu) const {
  Mean mean;
  for (const Comparison& each : compared(gpu)) {
    if (each.quantity != "energy")
      mean.add(penalty(each.expected, each.measured) * (each.quantity == "slowdown" ? 4 : 1));
  }
  return mean.value();
}

double Calibration::application_loss(const Specification& gpu) const {
  Mean mean;
  for (const Application& each : applications_) {
    const std::size_t anchor = default_anchor(each, gpu);
    const auto expected = anchored(each, anchor, gpu);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      mean.add(penalty(expected[i].power.si(), each.points[i].power.si()));
      if (each.points[i].time)
        mean.add(penalty(expected[i].time * each.points[anchor].time->si(), each.points[i].time->si()));
    }
  }
  return mean.value();
}

}  // namespace ergon::calibrate
