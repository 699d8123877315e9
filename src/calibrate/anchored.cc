// Predicts an application with unknown kernels from two activity counters at the anchor clock: multiprocessor
// activity and memory activity.
//
// Time without active multiprocessors does not depend on the clock. The remaining time is the p-norm of a
// part that scales with the clock and a part that scales with the memory bandwidth. The memory counter gives
// the second part; the first follows because the norm is 1 at the anchor.
//
// Power at the anchor minus idle, leakage and memory power is the power of the cores. Half of it scales with
// the time that multiprocessors are busy and with f V^2; the other half is energy per unit of work.

#include "calibrate/anchored.h"

#include <algorithm>
#include <cmath>

#include "base/contract.h"
#include "device/twin/steady_state.h"

namespace ergon::calibrate {
namespace {

// Counter value of multiprocessors that are busy all the time.
constexpr double kFullyBusy = 0.85;
constexpr double kBusyShare = 0.5;

}  // namespace

std::size_t default_anchor(const Application& application, const device::Specification& gpu) {
  const Hertz target = gpu.core.min + (gpu.core.max - gpu.core.min) * (2.0 / 3);
  const auto distance = [&](const ApplicationPoint& point) { return std::fabs((point.clock - target).si()); };
  const auto nearest =
      std::min_element(application.points.begin(), application.points.end(),
                       [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  return static_cast<std::size_t>(nearest - application.points.begin());
}

std::vector<AnchoredPrediction> anchored(const Application& application, std::size_t anchor,
                                         const device::Specification& gpu) {
  ERGON_EXPECTS(anchor < application.points.size());
  const ApplicationPoint& measured = application.points[anchor];
  const double p = gpu.kernels.overlap;
  const double busy = std::min(1.0, measured.busy / kFullyBusy);
  const double memory = std::min(0.999, measured.memory / gpu.memory.counter_full);
  const double cores = std::pow(1 - std::pow(memory, p), 1 / p);
  const auto time_at = [&](Hertz clock) {
    const double slower = (measured.clock / clock).si();
    const double starved = gpu.memory.over_clock.at(measured.clock) / gpu.memory.over_clock.at(clock);
    return (1 - busy) + busy * std::pow(std::pow(cores * slower, p) + std::pow(memory * starved, p), 1 / p);
  };

  const auto temperature_at = [&](Watts power) {
    return gpu.thermal.ambient + gpu.thermal.resistance * power;
  };
  const auto idle_at = [&](Hertz clock, Watts power) {
    return device::resident_power(gpu, clock, temperature_at(power));
  };
  const Watts transfers = gpu.power.memory * gpu.memory.bandwidth * measured.memory;
  const Watts core_power =
      std::max(Watts{0}, measured.power - idle_at(measured.clock, measured.power) - transfers);

  std::vector<AnchoredPrediction> expected;
  for (const ApplicationPoint& point : application.points) {
    AnchoredPrediction at;
    at.time = time_at(point.clock);
    const double relative_dynamic_power =
        gpu.relative_dynamic_power(point.clock) / gpu.relative_dynamic_power(measured.clock);
    const double work =
        gpu.relative_voltage_squared(point.clock) / gpu.relative_voltage_squared(measured.clock) / at.time;
    const Watts dynamic =
        core_power * (kBusyShare * relative_dynamic_power + (1 - kBusyShare) * work) + transfers / at.time;
    at.power = measured.power;
    for (int i = 0; i < 4; ++i)
      at.power = idle_at(point.clock, at.power) + dynamic;  // fixed point: leakage depends on temperature
    expected.push_back(at);
  }
  return expected;
}

}  // namespace ergon::calibrate
