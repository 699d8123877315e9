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
constexpr double kHoldKernels = 3, kHoldHost = 0.5, kHoldPower = 3, kHoldSorts = 6, kHoldTurned = 1;
// One host asks for operations whatever their numbers; in how far these differ has to be shown.
constexpr double kHoldAlike = 3;
// Fewer networks say nothing of sorts.
constexpr std::size_t kEnoughForSorts = 20;
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

using Point = std::vector<double>;

// The least value near 0, by steps along one axis or two at once, that are halved.
Point lowest(const std::function<double(const Point&)>& value, std::size_t axes) {
  Point at(axes, 0.0);
  double best = value(at);
  const auto better = [&](Point other) {
    const double there = value(other);
    if (there >= best - 1e-12) return false;
    best = there;
    at = std::move(other);
    return true;
  };
  for (double step = 0.32; step > 0.002; step /= 2) {
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t i = 0; i < axes; ++i) {
        for (std::size_t k = i; k < axes; ++k) {
          for (const double first : {-step, step}) {
            for (const double second : {-step, step}) {
              if (i == k && second < 0) continue;
              Point other = at;
              other[i] += first;
              if (i != k) other[k] += second;
              moved = better(std::move(other)) || moved;
            }
          }
        }
      }
    }
  }
  return at;
}

using Rows = std::vector<const Observation*>;

// The host's factor is held at 1, or at that of the same host with all numbers together.
Correction times_of(const Rows& rows, std::optional<double> alike, const Corrections& all,
                    const device::Specification& gpu) {
  const bool sorts = rows.size() >= kEnoughForSorts;
  const bool turned = sorts && std::any_of(rows.begin(), rows.end(), [](const Observation* row) {
                        return row->sums.turned.kernels > Seconds{0};
                      });
  const auto correction = [&](const Point& at) {
    if (!sorts) return Correction{at[0], at[1]};
    return Correction{at[0], at[1], 0, at[2], at[3], turned ? at[4] : 0};
  };
  const auto value = [&](const Point& at) {
    const Correction tried = correction(at);
    double sum = kHoldKernels * square(tried.kernels) +
                 (alike ? kHoldAlike : kHoldHost) * square(tried.host - alike.value_or(0)) +
                 kHoldSorts * (square(tried.products) + square(tried.moves)) +
                 kHoldTurned * square(tried.turned);
    for (const Observation* row : rows)
      sum += loss_of(log_ratio(whole_of(row->sums, tried, all, gpu).time, row->time));
    return sum;
  };
  return correction(lowest(value, turned ? 5 : sorts ? 4 : 2));
}

// By mode and host: the factor of all numbers together, where there are several.
using HostFactors = std::map<std::pair<graph::Mode, Host>, std::optional<double>>;

HostFactors alike_hosts(const std::map<Kind, Rows>& kinds, const Corrections& all,
                        const device::Specification& gpu) {
  std::map<std::pair<graph::Mode, Host>, std::pair<int, Rows>> together;
  for (const auto& [kind, rows] : kinds) {
    auto& [count, pooled] = together[{kind.mode, kind.host}];
    ++count;
    pooled.insert(pooled.end(), rows.begin(), rows.end());
  }
  HostFactors factors;
  for (const auto& [key, each] : together) {
    const auto& [count, pooled] = each;
    factors[key] = count > 1 ? std::optional(times_of(pooled, {}, all, gpu).host) : std::nullopt;
  }
  return factors;
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
  const Point found = lowest(value, 1);
  correction.power = found[0];
  return value(found);
}

// Of what an operation takes alone, waiting and all.
double believed_alone(const Part& part, const Trust& trust) { return part.seen ? 1 : trust.learned; }

}  // namespace

Sort sort_of(const Task& task) {
  const std::string& kind = task.kind;
  if (task.turned) return Sort::turned;
  if (kind == "conv" || kind == "depthwise_conv") return Sort::convolution;
  return kind == "dense" || kind == "matmul" || kind == "attention" ? Sort::product : Sort::move;
}

double Correction::shift_of(Sort sort) const {
  switch (sort) {
    case Sort::product:
      return products;
    case Sort::move:
      return moves;
    case Sort::turned:
      return turned;
    case Sort::convolution:
      break;
  }
  return 0;
}

double believed(const Part& part, const Trust& trust) {
  // What takes far longer than its host needs does not wait for it, whatever physics expects.
  const double longest = part.settled.si() * std::exp(std::max(0.0, part.time_ratio));
  const double share = longest > 0 ? part.host.si() / longest : 0;
  const double waiting = std::min(1.0, square(square(share)));
  return believed_alone(part, trust) * (1 - trust.waiting * waiting);
}

Seconds kernel_time(const Part& part, const Trust& trust) {
  return part.settled * std::exp(believed(part, trust) * part.time_ratio) * part.count;
}

double known_share(std::span<const Part> parts, const Trust& trust) {
  Seconds all, known;
  for (const Part& part : parts) {
    const Seconds time = kernel_time(part, trust);
    all += time;
    if (part.seen) known += time;
  }
  return all > Seconds{0} && std::isfinite(all.si()) ? (known / all).si() : 0;
}

Sums sums_of(std::span<const Part> parts, const Trust& trust) {
  Sums sums;
  for (const Part& part : parts) {
    const Seconds time = kernel_time(part, trust);
    const Watts power = part.settled_power * std::exp(part.power_ratio);
    Joules energy = time * power;
    // However long it waits alone, what it draws beyond an idle device is its own.
    const Seconds alone = part.settled * std::exp(believed_alone(part, trust) * part.time_ratio) * part.count;
    if (part.idle && alone > time && power > *part.idle) energy += (power - *part.idle) * (alone - time);
    sums.kernels += time;
    sums.host += part.host * part.count;
    sums.energy += energy;
    if (part.sort == Sort::convolution) continue;
    Portion& portion = part.sort == Sort::product ? sums.products
                       : part.sort == Sort::move  ? sums.moves
                                                  : sums.turned;
    portion.kernels += time;
    portion.energy += energy;
  }
  return sums;
}

Sums sums_of(Seconds kernels, Seconds host, Watts power, const device::Specification& gpu) {
  const Seconds time = device::pace(kernels, host);
  const Seconds running = std::min(kernels, time);
  return {kernels, host, (power * time - idle_power(gpu) * (time - running)) * (kernels / running).si(),
          {},      {},   {}};
}

Kind kind_of(const Condition& condition) { return {condition.mode, condition.precision, condition.host}; }

Correction Corrections::of(const Kind& kind) const {
  const Correction* best = nullptr;
  int closest = 0;
  for (const auto& [other, correction] : kinds) {
    if (other.mode != kind.mode) continue;
    const int numbers = other.precision == kind.precision                                       ? 3
                        : device::bytes_of(other.precision) == device::bytes_of(kind.precision) ? 2
                                                                                                : 1;
    const int alike = numbers + 3 * likeness(kind.host, other.host);
    if (alike <= closest) continue;
    closest = alike;
    best = &correction;
  }
  return best == nullptr ? Correction{} : *best;
}

Whole whole_of(const Sums& sums, const Correction& correction, const Corrections& all,
               const device::Specification& gpu) {
  Whole whole;
  Seconds shifted = sums.kernels;
  Joules energy = sums.energy;
  const auto shift = [&](const Portion& portion, double by) {
    shifted += portion.kernels * std::expm1(by);
    energy += portion.energy * std::expm1(by);
  };
  shift(sums.products, correction.products);
  shift(sums.moves, correction.moves);
  shift(sums.turned, correction.turned);
  whole.kernels = shifted * std::exp(correction.kernels);
  whole.host = sums.host * std::exp(correction.host);
  whole.time = device::pace(whole.kernels, whole.host);
  if (whole.time <= Seconds{0}) return whole;
  const Seconds running = std::min(whole.kernels, whole.time);
  const Watts busy = energy / shifted * std::exp(correction.power);
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
  const auto hosts = alike_hosts(kinds, best, gpu);
  for (const auto& [kind, rows] : kinds)
    best.kinds[kind] = times_of(rows, hosts.at({kind.mode, kind.host}), best, gpu);
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
