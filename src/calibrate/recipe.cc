#include "calibrate/recipe.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "calibrate/anchored.h"
#include "calibrate/knob.h"
#include "device/twin/steady.h"

namespace ergon::calibrate {
namespace {

using device::Specification;

// Like the absolute value of a relative error, but smooth at 0 and fair to both sides.
double penalty(double expected, double measured) {
  constexpr double kSmooth = 0.02;
  const double r = std::log(expected / measured);
  return std::sqrt(r * r + kSmooth * kSmooth);
}

// A reading further off than this missed what it should have met, and says no more than that.
constexpr double kMissed = 0.3;

class Mean {
 public:
  void add(double value) { sum_ += value, ++count_; }
  double value() const { return count_ == 0 ? 0 : sum_ / count_; }

 private:
  double sum_ = 0;
  double count_ = 0;
};

// The share of the GPU's time that the twin gives to the wrong class of operation.
double misplaced(const NetworkRow& row, const device::Load& load, const Specification& gpu, Hertz clock) {
  std::map<std::string, double> off;
  double all = 0;
  for (const auto& [part, time] : row.parts) off[part] -= time.si(), all += time.si();
  for (const device::OperationLoad& each : load.operations()) {
    const std::string own(class_of(row.workload->operations[each.operation].kind));
    for (std::size_t i = 0; i < each.demands.size(); ++i) {
      // Behind a convolution comes its bias.
      off[i == 0 ? own : "elementwise"] += (time_of(each.demands[i], gpu, clock).total * each.count).si();
    }
  }
  double sum = 0;
  for (const auto& entry : off) sum += std::fabs(entry.second);
  return sum / all / 2;
}

// Where facts of a device are open to its tables, the search starts from what is usual, so that a second
// calibration gives the same as the first.
void forget(Specification& gpu, const std::string& path) {
  if (path == "voltage.knee_mhz") gpu.voltage.knee = gpu.core.most * 0.75;
  if (path == "voltage.ratio_at_most") gpu.voltage.at_most = 1.25;
  if (path == "power.resident_w") gpu.power.resident = Watts{15};
  if (path == "memory.counter_full_share") gpu.memory.counter_full = 0.9;
  if (path != kBandwidth) return;
  const Hertz knee = gpu.core.most * 0.65;
  for (auto& point : gpu.memory.over_clock.points) point.share = std::min(1.0, (point.clock / knee).si());
}

}  // namespace

Recipe::Recipe(const Measured& measured, const std::string& device, const Specification& start,
               const std::stop_token& stop)
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
    choose(names);
  }
  for (const NetworkRow& row : measured.networks) {
    if (row.device == device && (row.maximum || row.workload->batch >= kLeastBatch) &&
        takes_part(row.network))
      rows_.push_back(row);
  }
  for (Application each : measured.applications) {
    if (each.device != device || !takes_part(each.name)) continue;
    std::erase_if(each.points,
                  [](const ApplicationPoint& point) { return point.time && point.clock < kLeastClock; });
    applications_.push_back(std::move(each));
  }
}

// Every other name of a table takes part, unless another table has decided already.
void Recipe::choose(const std::set<std::string>& names) {
  bool takes = true;
  for (const std::string& name : names) {
    if (!seen_.insert(name).second) continue;
    if (takes) fit_.gpu.fitted.push_back(name);
    takes = !takes;
  }
}

bool Recipe::takes_part(const std::string& name) const {
  return std::find(fit_.gpu.fitted.begin(), fit_.gpu.fitted.end(), name) != fit_.gpu.fitted.end();
}

void Recipe::turn_all(const Paths& paths, const std::function<double(const Specification&)>& loss,
                      int evaluations) {
  std::vector<Knob> knobs;
  for (const std::string& path : paths) {
    const auto& before = fit_.fitted_paths;
    if (std::find(before.begin(), before.end(), path) == before.end()) forget(fit_.gpu, path);
    if (path == kBandwidth) {
      for (Knob& each : bandwidth_knobs(fit_.gpu)) knobs.push_back(std::move(each));
    } else {
      knobs.push_back(knob(path));
    }
    fit_.fitted_paths.push_back(path);
  }
  turn(fit_.gpu, knobs, loss, evaluations, stop_);
}

double Recipe::busy_loss(const Specification& gpu) const {
  Mean mean;
  for (const NetworkRow& row : rows_) {
    if (!row.gpu) continue;
    const device::Load load(*row.workload, gpu);
    const Hertz clock = row.observed.value_or(gpu.core.most);
    mean.add(penalty(load.at(clock).gpu.si(), row.gpu->si()));
    if (!row.parts.empty()) mean.add(misplaced(row, load, gpu, clock));
  }
  return mean.value();
}

double Recipe::time_loss(const Specification& gpu) const {
  Mean mean;
  for (const NetworkRow& row : rows_) {
    if (!row.time || row.gpu) continue;
    const device::Load load(*row.workload, gpu);
    mean.add(penalty(load.at(row.observed.value_or(gpu.core.most)).time.si(), row.time->si()));
  }
  return mean.value();
}

double Recipe::power_loss(const Specification& gpu) const {
  Mean mean;
  for (const NetworkRow& row : rows_) {
    if (!row.power) continue;
    const device::Load load(*row.workload, gpu);
    const Hertz clock = row.observed.value_or(gpu.core.most);
    device::Activity activity = load.at(clock);
    if (row.gpu && row.time) activity.time = std::max(activity.gpu, *row.time);
    mean.add(penalty(device::equilibrium_of(activity, gpu, clock).power.si(), row.power->si()));
  }
  return mean.value();
}

double Recipe::limited_loss(const Specification& gpu) const {
  Mean mean;
  for (const NetworkRow& row : rows_) {
    const device::Load load(*row.workload, gpu);
    const auto state = device::steady_state(load, gpu, {row.clock, row.limit});
    if (row.time) mean.add(penalty(state.activity.time.si(), row.time->si()));
    if (row.power) mean.add(penalty(state.power.si(), row.power->si()));
  }
  return mean.value();
}

std::vector<Comparison> Recipe::compared(const Specification& gpu) const {
  if (rows_.empty()) return {};
  Measured own;
  own.networks = rows_;
  return compare(own, {{rows_[0].device, gpu}});
}

double Recipe::maximum_loss(const Specification& gpu) const {
  Mean mean;
  for (const Comparison& each : compared(gpu)) {
    if (each.quantity == "power_maximum") mean.add(std::min(kMissed, penalty(each.expected, each.measured)));
  }
  return mean.value();
}

double Recipe::slowdown_loss(const Specification& gpu) const {
  Mean mean;
  for (const Comparison& each : compared(gpu)) {
    if (each.quantity != "energy")
      mean.add(penalty(each.expected, each.measured) * (each.quantity == "slowdown" ? 4 : 1));
  }
  return mean.value();
}

double Recipe::application_loss(const Specification& gpu) const {
  Mean mean;
  for (const Application& each : applications_) {
    const std::size_t anchor = usual_anchor(each, gpu);
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
