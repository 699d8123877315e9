#include "predict/tune/tune.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/contract.h"
#include "predict/sanity.h"
#include "predict/tune/front.h"

namespace ergon::predict {
namespace {

constexpr std::array kMoreLatency{0.01, 0.05, 0.10, 0.25};

// Adds the power bound itself as a limit: the highest limit that always meets it.
SearchSpace space_for(const TuneRequest& request, const device::Specification& gpu) {
  SearchSpace space = request.space;
  if (space.limits || !request.bounds.power) return space;
  space.limits = limits_of(gpu, space);
  space.limits->push_back(*request.bounds.power);
  return space;
}

// The first of equals; null if no point meets the bounds.
const OperatingPoint* best_of(std::span<const OperatingPoint> points, const TuneRequest& request) {
  const OperatingPoint* best = nullptr;
  double lowest = std::numeric_limits<double>::infinity();
  for (const OperatingPoint& point : points) {
    if (!meets(point, request.bounds)) continue;
    const double here = score(request.objective, point, request.prices);
    if (here < lowest) {
      lowest = here;
      best = &point;
    }
  }
  return best;
}

const PreparedNetwork& prepared_at(const TuneTarget& target, std::int64_t batch) {
  const auto found = std::find_if(target.networks.begin(), target.networks.end(),
                                  [&](const PreparedNetwork& each) { return each.config().batch == batch; });
  ERGON_EXPECTS(found != target.networks.end());
  return *found;
}

DeviceTuneResult result_of(const TuneTarget& target, std::span<const OperatingPoint> points,
                           const TuneRequest& request) {
  DeviceTuneResult result;
  result.device = target.gpu.name;
  result.candidates = points.size();
  result.excluded = target.excluded;
  const auto* best = best_of(points, request);
  if (best == nullptr) {
    result.infeasibility = infeasibility_of(points, request.bounds);
    return result;
  }
  const PreparedNetwork& prepared = prepared_at(target, best->batch);
  result.choice = *best;
  result.at_default = default_point(target, prepared);
  result.warnings = prepared.warnings();
  return result;
}

std::vector<OperatingPoint> default_points(std::span<const TuneTarget> targets) {
  std::vector<OperatingPoint> points;
  for (const TuneTarget& target : targets) {
    for (const PreparedNetwork& prepared : target.networks) points.push_back(default_point(target, prepared));
  }
  return points;
}

void sort_best_first(std::vector<DeviceTuneResult>& devices, const TuneRequest& request) {
  const auto rank = [&](const DeviceTuneResult& each) {
    return each.choice ? score(request.objective, *each.choice, request.prices)
                       : std::numeric_limits<double>::infinity();
  };
  std::stable_sort(devices.begin(), devices.end(),
                   [&](const DeviceTuneResult& a, const DeviceTuneResult& b) { return rank(a) < rank(b); });
}

struct Range {
  double low = 0, high = 0;
};

// 90 % interval of the objective at a point.
Range range_of(const OperatingPoint& point, const TuneRequest& request) {
  const auto scaled = [](double value, const auto& predicted) {
    return Range{value * (predicted.low / predicted.value).si(),
                 value * (predicted.high / predicted.value).si()};
  };
  const double value = score(request.objective, point, request.prices);
  const Prediction& prediction = point.prediction;
  switch (request.objective) {
    case Objective::energy:
      return scaled(value, prediction.energy_per_sample);
    case Objective::energy_delay:
      return scaled(value, prediction.energy_delay);
    case Objective::time:
      return scaled(value, prediction.time);
    case Objective::price:
      break;
  }
  Prices energy_only = request.prices;
  energy_only.per_gpu_hour.clear();
  const double of_energy = request.prices.per_kwh ? score(Objective::price, point, energy_only) : 0;
  const Range energy = scaled(of_energy, prediction.energy_per_sample),
              time = scaled(value - of_energy, prediction.time);
  return {energy.low + time.low, energy.high + time.high};
}

std::vector<std::string> devices_like_the_best(const std::vector<DeviceTuneResult>& devices,
                                               const TuneRequest& request) {
  std::vector<std::string> names;
  const Range best = range_of(*devices.front().choice, request);
  for (std::size_t i = 1; i < devices.size(); ++i) {
    if (devices[i].choice && range_of(*devices[i].choice, request).low <= best.high)
      names.push_back(devices[i].device);
  }
  return names;
}

}  // namespace

Result<TuneResult> tune(std::span<const TuneTarget> targets, const TuneRequest& request) {
  ERGON_EXPECTS(!targets.empty());
  TuneResult result;
  std::vector<OperatingPoint> all;
  for (const TuneTarget& target : targets) {
    auto points = candidates_of(target, space_for(request, target.gpu));
    if (!points) return points.error();
    for (const OperatingPoint& point : *points) {
      if (auto fine = check_sanity(point.prediction, target.gpu, point.limit); !fine) return fine.error();
    }
    result.devices.push_back(result_of(target, *points, request));
    all.insert(all.end(), points->begin(), points->end());
  }
  sort_best_first(result.devices, request);
  if (!result.devices.front().choice)
    return fail(Errc::invalid_input, "{}", infeasibility_of(all, request.bounds).text(request.bounds));

  result.choice = *result.devices.front().choice;
  result.at_default = *result.devices.front().at_default;
  result.energy_saving = energy_saving(result.choice, result.at_default);
  const auto defaults = default_points(targets);
  if (const auto* best = best_of(defaults, request)) result.best_default = *best;

  for (const double change : kMoreLatency) {
    result.more_latency.push_back(latency_tradeoff_of(result.choice, all, request.bounds, change));
    result.less_latency.push_back(latency_tradeoff_of(result.choice, all, request.bounds, -change));
  }
  result.next_cheaper = next_cheaper(result.choice, all, request.bounds);
  result.not_distinguished = devices_like_the_best(result.devices, request);
  const Bounds others{std::nullopt, request.bounds.throughput, request.bounds.power};
  std::erase_if(all, [&](const OperatingPoint& point) { return !meets(point, others); });
  result.front = pareto_front(all);
  return result;
}

}  // namespace ergon::predict
