#include "predict/composition.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "base/square.h"
#include "base/statistics/minimize.h"
#include "device/twin/load.h"
#include "device/twin/steady_state.h"

namespace ergon::predict {
namespace {

// Weights of the quadratic penalties on log factors, in units of one network's loss. Kernels were measured,
// so their factor is held tightly; hosts differ between machines.
constexpr double kHoldKernels = 3, kHoldHost = 0.5, kHoldPower = 3, kHoldClasses = 6, kHoldChannelsLast = 1;
// Penalty on the difference between a host's factor in one precision and in all precisions pooled: launch
// overhead hardly depends on precision.
constexpr double kHoldPooled = 3;
// Number of networks needed to fit factors by operation class.
constexpr std::size_t kEnoughForClasses = 20;
// Errors below this are noise.
constexpr double kNoise = 0.03;

double loss_of(double error) { return std::sqrt(error * error + kNoise * kNoise) - kNoise; }
template <typename Q>
double log_ratio(Q a, Q b) {
  return std::log((a / b).si());
}

// Power while no kernel runs.
Watts idle_power(const device::Specification& gpu) {
  return device::resident_power(gpu, gpu.core.max, gpu.thermal.ambient);
}

using Point = std::span<const double>;

// The logarithms of factors at which `value` is minimal, searched from factors of 1. The factors of kernels
// and host trade off, so that steps along two axes at once are needed.
statistics::Minimum minimal_factors(const std::function<double(Point)>& value, std::size_t axes) {
  return statistics::minimize(value, std::vector<double>(axes, 0.0), {.diagonal = true});
}

using Rows = std::vector<const NetworkObservation*>;

// The host's factor is penalized towards 1, or towards `pooled`: that of all precisions of the same host.
Correction times_of(const Rows& rows, std::optional<double> pooled, const Corrections& all,
                    const device::Specification& gpu) {
  const bool classes = rows.size() >= kEnoughForClasses;
  const bool channels_last =
      classes && std::any_of(rows.begin(), rows.end(), [](const NetworkObservation* row) {
        return row->sums.channels_last.kernels > Seconds{0};
      });
  const auto correction = [&](Point at) {
    if (!classes) return Correction{at[0], at[1]};
    return Correction{at[0], at[1], 0, at[2], at[3], channels_last ? at[4] : 0};
  };
  const auto value = [&](Point at) {
    const Correction tried = correction(at);
    double sum = kHoldKernels * square(tried.kernels) +
                 (pooled ? kHoldPooled : kHoldHost) * square(tried.host - pooled.value_or(0)) +
                 kHoldClasses * (square(tried.products) + square(tried.memory_bound)) +
                 kHoldChannelsLast * square(tried.channels_last);
    for (const NetworkObservation* row : rows)
      sum += loss_of(log_ratio(network_cost(row->sums, tried, all, gpu).time, row->time));
    return sum;
  };
  return correction(minimal_factors(value, channels_last ? 5 : classes ? 4 : 2).at);
}

// By mode and host: the factor of all precisions pooled, if there are several.
using HostFactors = std::map<std::pair<graph::Mode, LaunchHost>, std::optional<double>>;

HostFactors pooled_host_factors(const std::map<ConfigKey, Rows>& configs, const Corrections& all,
                                const device::Specification& gpu) {
  std::map<std::pair<graph::Mode, LaunchHost>, std::pair<int, Rows>> together;
  for (const auto& [key, rows] : configs) {
    auto& [count, pooled] = together[{key.mode, key.host}];
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

// Sets the power factor of one configuration; returns the loss.
double fit_power(const Rows& rows, Correction& correction, const Corrections& all,
                 const device::Specification& gpu) {
  const auto value = [&](Point at) {
    double sum = kHoldPower * square(at[0]);
    Correction tried = correction;
    tried.power = at[0];
    for (const NetworkObservation* row : rows) {
      if (row->power) sum += loss_of(log_ratio(network_cost(row->sums, tried, all, gpu).power, *row->power));
    }
    return sum;
  };
  const statistics::Minimum found = minimal_factors(value, 1);
  correction.power = found.at[0];
  return found.value;
}

// Weight of the learned ratio of an operation alone, host-bound time included.
double alone_weight(const TaskCost& cost, const Shrinkage& shrinkage) {
  return cost.measured ? 1 : shrinkage.weight;
}

}  // namespace

OperationClass operation_class_of(const Task& task) {
  const std::string& kind = task.kind;
  if (task.channels_last) return OperationClass::channels_last;
  if (kind == "conv" || kind == "depthwise_conv") return OperationClass::convolution;
  return kind == "dense" || kind == "matmul" || kind == "attention" ? OperationClass::product
                                                                    : OperationClass::memory_bound;
}

double Correction::shift_of(OperationClass operation_class) const {
  switch (operation_class) {
    case OperationClass::product:
      return products;
    case OperationClass::memory_bound:
      return memory_bound;
    case OperationClass::channels_last:
      return channels_last;
    case OperationClass::convolution:
      break;
  }
  return 0;
}

double ratio_weight(const TaskCost& cost, const Shrinkage& shrinkage) {
  // An operation that takes far longer than its launch overhead is not host-bound, even if the physical
  // estimate is short.
  const double longest = cost.settled.si() * std::exp(std::max(0.0, cost.time_ratio));
  const double share = longest > 0 ? cost.host.si() / longest : 0;
  const double waiting = std::min(1.0, square(square(share)));
  return alone_weight(cost, shrinkage) * (1 - shrinkage.host_bound_discount * waiting);
}

Seconds kernel_time(const TaskCost& cost, const Shrinkage& shrinkage) {
  return cost.settled * std::exp(ratio_weight(cost, shrinkage) * cost.time_ratio) * cost.count;
}

double measured_share(std::span<const TaskCost> costs, const Shrinkage& shrinkage) {
  Seconds all, measured;
  for (const TaskCost& cost : costs) {
    const Seconds time = kernel_time(cost, shrinkage);
    all += time;
    if (cost.measured) measured += time;
  }
  return all > Seconds{0} && std::isfinite(all.si()) ? (measured / all).si() : 0;
}

OperationSums sums_of(std::span<const TaskCost> costs, const Shrinkage& shrinkage) {
  OperationSums sums;
  for (const TaskCost& cost : costs) {
    const Seconds time = kernel_time(cost, shrinkage);
    const Watts power = cost.settled_power * std::exp(cost.power_ratio);
    Joules energy = time * power;
    // Energy above idle power belongs to the operation even while it is host-bound.
    const Seconds alone =
        cost.settled * std::exp(alone_weight(cost, shrinkage) * cost.time_ratio) * cost.count;
    if (cost.idle && alone > time && power > *cost.idle) energy += (power - *cost.idle) * (alone - time);
    sums.kernels += time;
    sums.host += cost.host * cost.count;
    sums.energy += energy;
    if (cost.operation_class == OperationClass::convolution) continue;
    Portion& portion = cost.operation_class == OperationClass::product        ? sums.products
                       : cost.operation_class == OperationClass::memory_bound ? sums.memory_bound
                                                                              : sums.channels_last;
    portion.kernels += time;
    portion.energy += energy;
  }
  return sums;
}

OperationSums sums_of(Seconds kernels, Seconds host, Watts power, const device::Specification& gpu) {
  const Seconds time = device::iteration_time(kernels, host);
  const Seconds running = std::min(kernels, time);
  return {kernels, host, (power * time - idle_power(gpu) * (time - running)) * (kernels / running).si(),
          {},      {},   {}};
}

ConfigKey key_of(const WorkloadConfig& config) { return {config.mode, config.precision, config.host}; }

Correction Corrections::of(const ConfigKey& key) const {
  const Correction* best = nullptr;
  int closest = 0;
  for (const auto& [other, correction] : by_config) {
    if (other.mode != key.mode) continue;
    const int precision = other.precision == key.precision                                       ? 3
                          : device::bytes_of(other.precision) == device::bytes_of(key.precision) ? 2
                                                                                                 : 1;
    const int nearness = precision + 3 * similarity(key.host, other.host);
    if (nearness <= closest) continue;
    closest = nearness;
    best = &correction;
  }
  return best == nullptr ? Correction{} : *best;
}

NetworkCost network_cost(const OperationSums& sums, const Correction& correction, const Corrections& all,
                         const device::Specification& gpu) {
  NetworkCost whole;
  Seconds shifted = sums.kernels;
  Joules energy = sums.energy;
  const auto shift = [&](const Portion& portion, double by) {
    shifted += portion.kernels * std::expm1(by);
    energy += portion.energy * std::expm1(by);
  };
  shift(sums.products, correction.products);
  shift(sums.memory_bound, correction.memory_bound);
  shift(sums.channels_last, correction.channels_last);
  whole.kernels = shifted * std::exp(correction.kernels);
  whole.host = sums.host * std::exp(correction.host);
  whole.time = device::iteration_time(whole.kernels, whole.host);
  if (whole.time <= Seconds{0}) return whole;
  const Seconds running = std::min(whole.kernels, whole.time);
  const Watts busy = energy / shifted * std::exp(correction.power);
  const Watts idle = idle_power(gpu) * std::exp(all.idle_power);
  whole.power = (busy * running + idle * (whole.time - running)) / whole.time;
  whole.power = std::min(whole.power, std::max(all.max_power, gpu.limit.default_limit));
  whole.energy = whole.power * whole.time;
  return whole;
}

Corrections fit_corrections(std::span<const NetworkObservation> observations,
                            const device::Specification& gpu) {
  Corrections best;
  std::map<ConfigKey, Rows> configs;
  for (const NetworkObservation& each : observations) {
    configs[each.key].push_back(&each);
    if (each.power) best.max_power = std::max(best.max_power, *each.power);
  }
  const auto hosts = pooled_host_factors(configs, best, gpu);
  for (const auto& [key, rows] : configs)
    best.by_config[key] = times_of(rows, hosts.at({key.mode, key.host}), best, gpu);
  std::optional<double> lowest;
  for (int tenth = -5; tenth <= 9; ++tenth) {
    const double idle_power = 0.1 * tenth;
    Corrections tried = best;
    tried.idle_power = idle_power;
    double sum = square(idle_power);
    for (const auto& [key, rows] : configs) sum += fit_power(rows, tried.by_config[key], tried, gpu);
    if (lowest && sum >= *lowest) continue;
    lowest = sum;
    best = tried;
  }
  return best;
}

}  // namespace ergon::predict
