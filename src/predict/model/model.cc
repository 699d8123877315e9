#include "predict/model/model.h"

#include <algorithm>

#include "device/twin/parameter_digest.h"

namespace ergon::predict {

IntervalWidths nearest_widths(const std::map<LaunchHost, WidthPair>& widths, LaunchHost host,
                              bool host_bound) {
  const auto nearest = std::max_element(widths.begin(), widths.end(), [&](const auto& a, const auto& b) {
    return similarity(host, a.first) < similarity(host, b.first);
  });
  return nearest == widths.end() ? IntervalWidths{} : nearest->second.of(host_bound);
}

// Held-out networks share operations with others too; their errors come from the rest. So intervals do not
// narrow up to a measured share of one half.
IntervalWidths interpolated(const IntervalWidths& unmeasured, const IntervalWidths& measured, double share) {
  const double beyond_half = std::max(0.0, 2 * share - 1);
  const auto between = [&](double a, double b) { return a * (1 - beyond_half) + b * beyond_half; };
  return {between(unmeasured.time, measured.time), between(unmeasured.power, measured.power),
          between(unmeasured.energy, measured.energy)};
}

std::string_view name_of(PredictionSource source) {
  switch (source) {
    case PredictionSource::learned:
      return "learned";
    case PredictionSource::calibrated:
      return "calibrated";
    case PredictionSource::twin:
      return "twin";
  }
  return "";
}

bool Model::fits(const device::Specification& gpu) const {
  return device == gpu.name &&
         (device_parameters.empty() || device_parameters == device::parameter_digest(gpu));
}

bool Model::simulated() const {
  return std::any_of(training_sources.begin(), training_sources.end(),
                     [](const TrainingSource& each) { return each.simulated; });
}

std::int64_t Model::operation_rows() const {
  std::int64_t sum = 0;
  for (const TrainingSource& each : training_sources) sum += each.operations;
  return sum;
}

std::int64_t Model::network_rows() const {
  std::int64_t sum = 0;
  for (const TrainingSource& each : training_sources) sum += each.networks;
  return sum;
}

Shrinkage Model::shrinkage_for(graph::Mode mode) const {
  const auto found = shrinkage.find(mode);
  return found == shrinkage.end() ? Shrinkage{} : found->second;
}

std::set<std::string> Model::kinds() const {
  std::set<std::string> kinds;
  for (const auto& each : range) kinds.insert(each.first.first);
  return kinds;
}

IntervalWidths Model::widths_of(LaunchHost host, bool host_bound, double measured_share) const {
  const IntervalWidths unmeasured = nearest_widths(widths, host, host_bound);
  if (measured_widths.empty()) return unmeasured;
  return interpolated(unmeasured, nearest_widths(measured_widths, host, host_bound), measured_share);
}

std::optional<Watts> LaunchOverhead::idle_in(graph::Mode mode) const {
  const auto found = idle_.find(mode);
  return found == idle_.end() ? std::nullopt : std::optional(found->second);
}

Seconds LaunchOverhead::of(const std::string& operation, graph::Mode mode) const {
  if (const auto found = times_.find({operation, mode}); found != times_.end()) return found->second;
  const auto by_mode = defaults_.find(mode);
  return by_mode == defaults_.end() ? Seconds{0} : by_mode->second;
}

}  // namespace ergon::predict
