#include "calibrate/fit_parameter.h"

#include <algorithm>
#include <cmath>

#include "device/twin/parameters.h"

namespace ergon::calibrate {
namespace {

// Prior: a parameter moves to twice or half of its start value only if that reduces the mean relative error
// by this much. Parameters that a table does not determine stay at their start value.
constexpr double kPriorWeight = 0.002;
constexpr double kTiny = 1e-3;
// Resolution of the search, relative to the range of a parameter.
constexpr double kLastStep = 2e-4;

}  // namespace

FitParameter fit_parameter(const std::string& path) {
  const device::Parameter& parameter = device::parameter(path);
  return {path, {parameter.min, parameter.max}, parameter.read, parameter.set};
}

FitParameter fit_parameter(const std::string& path, statistics::SearchRange range) {
  FitParameter made = fit_parameter(path);
  made.range = range;
  return made;
}

std::vector<FitParameter> bandwidth_parameters(const device::Specification& gpu) {
  constexpr statistics::SearchRange kSteps{0.4, 1};
  std::vector<FitParameter> parameters;
  for (std::size_t i = 0; i + 1 < gpu.memory.over_clock.points.size(); ++i) {
    parameters.push_back({"memory.bandwidth_over_clock", kSteps,
                          [i](const device::Specification& s) {
                            const auto& points = s.memory.over_clock.points;
                            return points[i].share / points[i + 1].share;
                          },
                          [i](device::Specification& s, double step) {
                            // Points below keep their ratios.
                            auto& points = s.memory.over_clock.points;
                            const double factor = step * points[i + 1].share / points[i].share;
                            for (std::size_t j = 0; j <= i; ++j) points[j].share *= factor;
                          }});
  }
  return parameters;
}

void minimize_loss(device::Specification& gpu, const std::vector<FitParameter>& parameters,
                   const std::function<double(const device::Specification&)>& loss, int evaluations,
                   const std::stop_token& stop) {
  std::vector<double> start;
  std::vector<statistics::SearchRange> ranges;
  for (const FitParameter& each : parameters) {
    ranges.push_back(each.range);
    start.push_back(std::clamp(each.read(gpu), each.range.min, each.range.max));
  }
  const auto with = [&](std::span<const double> at) {
    device::Specification changed = gpu;
    for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i].set(changed, at[i]);
    return changed;
  };
  const auto deviation = [&](std::span<const double> at) {
    double sum = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
      const double away = std::log2(std::max(at[i], kTiny) / std::max(start[i], kTiny));
      sum += away * away;
    }
    return sum;
  };
  const statistics::Minimum best = statistics::minimize(
      [&](std::span<const double> at) { return loss(with(at)) + kPriorWeight * deviation(at); }, start,
      {.ranges = ranges, .last_step = kLastStep, .max_evaluations = evaluations, .stop = stop});
  gpu = with(best.at);
}

}  // namespace ergon::calibrate
