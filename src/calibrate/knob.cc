#include "calibrate/knob.h"

#include <algorithm>
#include <cmath>

#include "device/twin/parameters.h"

namespace ergon::calibrate {
namespace {

// What a number must gain, as mean relative error, to move to twice or half of where it started: a table that
// says nothing of a number leaves it alone.
constexpr double kReluctance = 0.002;
constexpr double kTiny = 1e-3;

}  // namespace

Knob knob(const std::string& path) {
  const device::Parameter& parameter = device::parameter(path);
  return {path, {parameter.least, parameter.most}, parameter.read, parameter.set};
}

Knob knob(const std::string& path, Range range) {
  Knob made = knob(path);
  made.range = range;
  return made;
}

std::vector<Knob> bandwidth_knobs(const device::Specification& gpu) {
  constexpr Range kSteps{0.4, 1};
  std::vector<Knob> knobs;
  for (std::size_t i = 0; i + 1 < gpu.memory.over_clock.points.size(); ++i) {
    knobs.push_back({"memory.bandwidth_over_clock", kSteps,
                     [i](const device::Specification& s) {
                       const auto& points = s.memory.over_clock.points;
                       return points[i].share / points[i + 1].share;
                     },
                     [i](device::Specification& s, double step) {
                       // Points below keep their own steps.
                       auto& points = s.memory.over_clock.points;
                       const double factor = step * points[i + 1].share / points[i].share;
                       for (std::size_t j = 0; j <= i; ++j) points[j].share *= factor;
                     }});
  }
  return knobs;
}

void turn(device::Specification& gpu, const std::vector<Knob>& knobs,
          const std::function<double(const device::Specification&)>& loss, int evaluations,
          const std::stop_token& stop) {
  std::vector<double> start;
  std::vector<Range> ranges;
  for (const Knob& each : knobs) {
    ranges.push_back(each.range);
    start.push_back(std::clamp(each.read(gpu), each.range.least, each.range.most));
  }
  const auto with = [&](std::span<const double> at) {
    device::Specification turned = gpu;
    for (std::size_t i = 0; i < knobs.size(); ++i) knobs[i].set(turned, at[i]);
    return turned;
  };
  const auto surprise = [&](std::span<const double> at) {
    double sum = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
      const double away = std::log2(std::max(at[i], kTiny) / std::max(start[i], kTiny));
      sum += away * away;
    }
    return sum;
  };
  const Minimum best =
      minimise([&](std::span<const double> at) { return loss(with(at)) + kReluctance * surprise(at); }, start,
               ranges, evaluations, stop);
  gpu = with(best.at);
}

}  // namespace ergon::calibrate
