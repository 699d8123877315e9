#include "predict/composition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string>

#include "base/square.h"
#include "device/twin/load.h"
#include "device/twin/steady.h"

namespace ergon::predict {
namespace {

// How hard factors are held at 1, in errors of one network: kernels were measured, hosts differ.
constexpr double kHoldKernels = 3, kHoldHost = 0.5, kHoldPower = 3;
// Errors below this are noise.
constexpr double kNoise = 0.03;

double loss_of(double error) { return std::sqrt(error * error + kNoise * kNoise) - kNoise; }
template <typename Q>
double log_ratio(Q a, Q b) {
  return std::log((a / b).si());
}

// While nothing but the host works.
Watts idle_power(const device::Specification& gpu) {
  return device::resident_power(gpu, gpu.core.most, gpu.thermal.ambient);
}

using Point = std::array<double, 2>;

// The least value near 0, by steps that are halved.
Point lowest(const std::function<double(const Point&)>& value, bool second) {
  Point at{};
  double best = value(at);
  for (double step = 0.32; step > 0.002; step /= 2) {
    for (bool moved = true; moved;) {
      moved = false;
      for (int dx = -1; dx <= 1; ++dx) {
        for (int dy = second ? -1 : 0; dy <= (second ? 1 : 0); ++dy) {
          const Point other{at[0] + dx * step, at[1] + dy * step};
          const double there = value(other);
          if (there < best - 1e-12) {
            best = there;
            at = other;
            moved = true;
          }
        }
      }
    }
  }
  return at;
}

using Rows = std::vector<const Observation*>;

Correction times_of(const Rows& rows, const Corrections& all, const device::Specification& gpu) {
  const auto value = [&](const Point& at) {
    double sum = kHoldKernels * square(at[0]) + kHoldHost * square(at[1]);
    for (const Observation* row : rows)
      sum += loss_of(log_ratio(whole_of(row->sums, {at[0], at[1], 0}, all, gpu).time, row->time));
    return sum;
  };
  const Point found = lowest(value, true);
  return {found[0], found[1], 0};
}

// The power factor of one kind, and how well all is explained with it.
double fit_power(const Rows& rows, Correction& correction, const Corrections& all,
                 const device::Specification& gpu) {
  const auto value = [&](const Point& at) {
    double sum = kHoldPower * square(at[0]);
    Correction tried = correction;
    tried.power = at[0];
    for (const Observation* row : rows) {
      if (row->power) sum += loss_of(log_ratio(whole_of(row->sums, tried, all, gpu).power, *row->power));
    }
    return sum;
  };
  const Point found = lowest(value, false);
  correction.power = found[0];
  return value(found);
}

}  // namespace

double believed(const Part& part, const Trust& trust) {
  const double busy = square(part.settled.si()), waits = square(part.host.si());
  const double waiting = busy + waits > 0 ? waits / (busy + waits) : 0;
  return trust.learned * (1 - trust.waiting * waiting);
}

Sums sums_of(std::span<const Part> parts, const Trust& trust) {
  Sums sums;
  for (const Part& part : parts) {
    const Seconds time = part.settled * std::exp(believed(part, trust) * part.time_ratio) * part.count;
    sums.kernels += time;
    sums.host += part.host * part.count;
    sums.energy += time * part.settled_power * std::exp(part.power_ratio);
  }
  return sums;
}

Sums sums_of(Seconds kernels, Seconds host, Watts power, const device::Specification& gpu) {
  const Seconds time = device::pace(kernels, host);
  const Seconds running = std::min(kernels, time);
  return {kernels, host, (power * time - idle_power(gpu) * (time - running)) * (kernels / running).si()};
}

Correction Corrections::of(const Kind& kind) const {
  const Correction* best = nullptr;
  int closest = 0;
  for (const auto& [other, correction] : kinds) {
    if (other.mode != kind.mode) continue;
    const int likeness = other.precision == kind.precision                                       ? 3
                         : device::bytes_of(other.precision) == device::bytes_of(kind.precision) ? 2
                                                                                                 : 1;
    if (likeness <= closest) continue;
    closest = likeness;
    best = &correction;
  }
  return best == nullptr ? Correction{} : *best;
}

Whole whole_of(const Sums& sums, const Correction& correction, const Corrections& all,
               const device::Specification& gpu) {
  Whole whole;
  whole.kernels = sums.kernels * std::exp(correction.kernels);
  whole.host = sums.host * std::exp(correction.host);
  whole.time = device::pace(whole.kernels, whole.host);
  if (whole.time <= Seconds{0}) return whole;
  const Seconds running = std::min(whole.kernels, whole.time);
  const Watts busy = sums.energy / sums.kernels * std::exp(correction.power);
  const Watts idle = idle_power(gpu) * std::exp(all.waiting);
  whole.power = (busy * running + idle * (whole.time - running)) / whole.time;
  whole.power = std::min(whole.power, std::max(all.ceiling, gpu.limit.usual));
  whole.energy = whole.power * whole.time;
  return whole;
}

Corrections fit_corrections(std::span<const Observation> observations, const device::Specification& gpu) {
  Corrections best;
  std::map<Kind, Rows> kinds;
  for (const Observation& each : observations) {
    kinds[each.kind].push_back(&each);
    if (each.power) best.ceiling = std::max(best.ceiling, *each.power);
  }
  for (const auto& [kind, rows] : kinds) best.kinds[kind] = times_of(rows, best, gpu);
  std::optional<double> least;
  for (int tenth = -5; tenth <= 9; ++tenth) {
    const double waiting = 0.1 * tenth;
    Corrections tried = best;
    tried.waiting = waiting;
    double sum = square(waiting);
    for (const auto& [kind, rows] : kinds) sum += fit_power(rows, tried.kinds[kind], tried, gpu);
    if (least && sum >= *least) continue;
    least = sum;
    best = tried;
  }
  return best;
}

}  // namespace ergon::predict
