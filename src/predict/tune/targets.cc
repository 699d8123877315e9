#include "predict/tune/targets.h"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "base/units_text.h"
#include "predict/alternatives.h"

namespace ergon::predict {
namespace {

void report_excluded(const TuneTarget& target, const Notify& notify) {
  if (target.excluded.empty() || !notify) return;
  std::vector<std::int64_t> batches;
  for (const ExcludedBatch& each : target.excluded) batches.push_back(each.batch);
  notify(
      fmt::format("{} does not have enough memory for batch {}", target.gpu.name, fmt::join(batches, ", ")));
}

Result<> check_limit(Watts limit, std::span<const Predictor> predictors) {
  Result<> refused;
  for (const Predictor& each : predictors) {
    refused = device::check({{}, limit}, each.gpu());
    if (refused) return {};
  }
  return refused;
}

}  // namespace

std::vector<std::int64_t> batches_to_try(const graph::Network& network,
                                         const std::vector<std::int64_t>& requested) {
  const std::set<std::int64_t> distinct(requested.begin(), requested.end());
  if (!distinct.empty()) return {distinct.begin(), distinct.end()};
  if (network.batch_is_fixed) return {network.default_batch.value_or(1)};
  return {kDefaultBatches.begin(), kDefaultBatches.end()};
}

Result<std::vector<TuneTarget>> tune_targets_of(std::span<const Predictor> predictors,
                                                const graph::Network& network, const WorkloadConfig& config,
                                                const std::vector<std::int64_t>& batches,
                                                const Notify& notify) {
  if (batches.size() * predictors.size() > kMaxTuneCombinations)
    return fail(Errc::invalid_input,
                "{} combinations of batch and device are more than {}; give fewer batches or devices",
                batches.size() * predictors.size(), kMaxTuneCombinations);
  std::vector<Iteration> iterations;
  for (const std::int64_t batch : batches) {
    auto iteration = iteration_of(network, {batch, config.mode, config.precision, config.host});
    if (!iteration) return iteration.error();
    iterations.push_back(std::move(*iteration));
  }
  std::vector<TuneTarget> targets;
  std::optional<Error> too_large;
  for (const Predictor& predictor : predictors) {
    auto target = tune_target_of(predictor, iterations);
    if (!target && target.error().kind != Errc::out_of_memory) return target.error();
    if (!target) {
      too_large = target.error();
      if (predictors.size() > 1 && notify) notify("skipped: " + target.error().message);
      continue;
    }
    report_excluded(*target, notify);
    targets.push_back(std::move(*target));
  }
  if (targets.empty() && too_large) return *too_large;
  return targets;
}

Result<> check(const TuneRequest& request, std::span<const GpuHourPrice> prices) {
  const SearchSpace& space = request.space;
  if (request.objective == Objective::price && !request.prices.per_kwh && prices.empty())
    return fail(Errc::invalid_input, "--objective price needs --price-kwh, --price-gpu-hour or both");
  if (space.min_clock && space.max_clock && *space.min_clock > *space.max_clock) {
    return fail(Errc::invalid_input, "--min-clock {} is above --max-clock {}", to_text(*space.min_clock),
                to_text(*space.max_clock));
  }
  if (!space.lock_clocks && (space.min_clock || space.max_clock))
    return fail(Errc::invalid_input, "--default-clock cannot be combined with --min-clock or --max-clock");
  return {};
}

Result<> check_limits(const std::vector<Watts>& limits, std::span<const Predictor> predictors) {
  for (const Watts limit : limits) {
    if (auto fine = check_limit(limit, predictors); !fine) return fine;
  }
  return {};
}

Result<std::map<std::string, double>> prices_by_device(std::span<const GpuHourPrice> prices,
                                                       std::span<const Predictor> predictors) {
  std::map<std::string, double> by_device;
  if (prices.empty()) return by_device;
  std::set<std::string> names;
  for (const Predictor& each : predictors) names.insert(each.gpu().name);
  for (const auto& [device, price] : prices) {
    if (device.empty()) {
      for (const std::string& name : names) by_device[name] = price;
    } else if (names.contains(device)) {
      by_device[device] = price;
    } else {
      return fail(Errc::invalid_input, "--price-gpu-hour: {} is not in --device", printable(device));
    }
  }
  for (const std::string& name : names) {
    if (!by_device.contains(name))
      return fail(Errc::invalid_input, "--price-gpu-hour: no price for {}", name);
  }
  return by_device;
}

}  // namespace ergon::predict
