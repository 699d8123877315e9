// A program whose kernels are not known is placed on the roofs by two counters: how busy its
// multiprocessors and its memory were at the anchor.
//
// While no multiprocessor works, time does not follow the clock. The rest of the time is a norm of two parts,
// one that follows the clock and one that follows the memory's bandwidth; the memory's counter gives the
// second, and the first is what is missing to 1.
//
// Power at the anchor, less what idles and leaks and what the memory takes, is the cores'. Half of that goes
// on while they are busy, and follows clock and voltage; the other half is paid per unit of work.

#include "calibrate/anchored.h"

#include <algorithm>
#include <cmath>

#include "base/contract.h"
#include "device/twin/steady.h"

namespace ergon::calibrate {
namespace {

// Above this the counter says busy all the time.
constexpr double kFullyBusy = 0.85;
constexpr double kBusyHalf = 0.5;

}  // namespace

std::size_t usual_anchor(const Application& application, const device::Specification& gpu) {
  const Hertz wanted = gpu.core.least + (gpu.core.most - gpu.core.least) * (2.0 / 3);
  const auto distance = [&](const ApplicationPoint& point) { return std::fabs((point.clock - wanted).si()); };
  const auto nearest =
      std::min_element(application.points.begin(), application.points.end(),
                       [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  return static_cast<std::size_t>(nearest - application.points.begin());
}

std::vector<Expected> anchored(const Application& application, std::size_t anchor,
                               const device::Specification& gpu) {
  ERGON_EXPECTS(anchor < application.points.size());
  const ApplicationPoint& seen = application.points[anchor];
  const double p = gpu.kernels.overlap;
  const double busy = std::min(1.0, seen.busy / kFullyBusy);
  const double memory = std::min(0.999, seen.memory / gpu.memory.counter_full);
  const double cores = std::pow(1 - std::pow(memory, p), 1 / p);
  const auto time_at = [&](Hertz clock) {
    const double slower = (seen.clock / clock).si();
    const double starved = gpu.memory.over_clock.at(seen.clock) / gpu.memory.over_clock.at(clock);
    return (1 - busy) + busy * std::pow(std::pow(cores * slower, p) + std::pow(memory * starved, p), 1 / p);
  };

  const auto temperature_at = [&](Watts power) {
    return gpu.thermal.ambient + gpu.thermal.resistance * power;
  };
  const auto idle_at = [&](Hertz clock, Watts power) {
    return device::resident_power(gpu, clock, temperature_at(power));
  };
  const Watts transfers = gpu.power.memory * gpu.memory.bandwidth * seen.memory;
  const Watts of_cores = std::max(Watts{0}, seen.power - idle_at(seen.clock, seen.power) - transfers);

  std::vector<Expected> expected;
  for (const ApplicationPoint& point : application.points) {
    Expected at;
    at.time = time_at(point.clock);
    const double drive = gpu.drive(point.clock) / gpu.drive(seen.clock);
    const double work = gpu.swing(point.clock) / gpu.swing(seen.clock) / at.time;
    const Watts dynamic = of_cores * (kBusyHalf * drive + (1 - kBusyHalf) * work) + transfers / at.time;
    at.power = seen.power;
    for (int i = 0; i < 4; ++i) at.power = idle_at(point.clock, at.power) + dynamic;  // it heats itself
    expected.push_back(at);
  }
  return expected;
}

}  // namespace ergon::calibrate
