// The search compared with an independent loop over every clock, limit and batch.

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "device/twin/clock_grid.h"
#include "predict/tune/tune.h"
#include "predict/tune/tune_targets.h"

namespace ergon::predict {
namespace {

// Tolerance between a locked clock and the same clock reached through a limit.
constexpr double kRounding = 1e-6;

const TuneTarget& any_contender() {
  static std::map<std::tuple<std::string, std::string, bool>, TuneTarget> made;
  const auto key = std::tuple{
      *rc::gen::element<std::string>("a30", "h200", "rtx2080ti", "v100", "a40", "a100-sxm-80"),
      *rc::gen::element<std::string>("resnet50", "mobilenet_v2", "alexnet"), *rc::gen::arbitrary<bool>()};
  if (!made.contains(key)) {
    const auto& [device, network, training] = key;
    made.emplace(key, target(device, network, {1, 4, 32, 128},
                             training ? graph::Mode::training : graph::Mode::inference));
  }
  return made.at(key);
}

double between(double lowest, double most) {
  return lowest * std::pow(most / lowest, *rc::gen::inRange(0, 1001) / 1000.0);
}

TuneRequest any_request(const TuneTarget& target) {
  TuneRequest request;
  request.objective = *rc::gen::elementOf(all_objectives());
  request.prices.per_kwh = between(0.05, 1);
  if (*rc::gen::arbitrary<bool>()) request.prices.per_gpu_hour[target.gpu.name] = between(0.1, 10);
  const Prediction middle = target.networks[target.networks.size() / 2].predict({});
  const auto batch = static_cast<double>(target.networks[target.networks.size() / 2].config().batch);
  if (*rc::gen::arbitrary<bool>()) request.bounds.latency = middle.time.value * between(0.3, 5);
  if (*rc::gen::arbitrary<bool>())
    request.bounds.throughput = SamplesPerSecond{batch / middle.time.value.si() * between(0.1, 1.5)};
  if (*rc::gen::arbitrary<bool>()) request.bounds.power = target.gpu.limit.default_limit * between(0.3, 1.2);
  const device::CoreClock& core = target.gpu.core;
  if (*rc::gen::inRange(0, 4) == 0) {
    request.space.min_clock = core.min + (core.max - core.min) * 0.3;
    request.space.max_clock = core.min + (core.max - core.min) * 0.7;
  }
  request.space.lock_clocks = *rc::gen::inRange(0, 4) > 0;
  return request;
}

struct Plain {
  Seconds latency;
  double throughput = 0, score = 0;
  Watts power;
  Joules energy;  // per sample
};

// Every setting a user could choose.
std::vector<Plain> all_settings(const TuneTarget& target, const TuneRequest& request) {
  const device::Specification& gpu = target.gpu;
  std::vector<std::optional<Hertz>> clocks;
  const device::ClockGrid grid(gpu.core);
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const Hertz clock = grid.at(i);
    if (clock >= request.space.min_clock.value_or(clock) && clock <= request.space.max_clock.value_or(clock))
      clocks.emplace_back(clock);
  }
  if (!request.space.lock_clocks) clocks = {clocks.back()};
  if (!request.space.max_clock) clocks.emplace_back(std::nullopt);
  std::vector<Watts> limits{gpu.limit.default_limit, gpu.limit.max};
  for (int i = 0; i <= 5 && !request.space.lock_clocks; ++i) {
    const Watts between = gpu.limit.min + (gpu.limit.max - gpu.limit.min) * (i / 5.0);
    limits.push_back(Watts{std::round(between.si())});
  }
  if (const auto bound = request.bounds.power; bound && *bound >= gpu.limit.min && *bound <= gpu.limit.max)
    limits.push_back(*bound);

  std::vector<Plain> all;
  for (const PreparedNetwork& prepared : target.networks) {
    const auto batch = static_cast<double>(prepared.config().batch);
    for (const auto& clock : clocks) {
      for (const Watts limit : limits) {
        const Prediction there = prepared.predict({clock, limit});
        if (!there.limit_held) continue;
        const double seconds = there.time.value.si(), joules = there.energy_per_sample.value.si();
        double score = joules;
        if (request.objective == Objective::energy_delay) score = joules * seconds / batch;
        if (request.objective == Objective::time) score = seconds / batch;
        if (request.objective == Objective::price) {
          score = *request.prices.per_kwh * joules / 3.6e6;
          for (const auto& [device, price] : request.prices.per_gpu_hour)
            score += price * seconds / batch / 3600;
        }
        all.push_back(
            {there.time.value, batch / seconds, score, there.power.value, there.energy_per_sample.value});
      }
    }
  }
  return all;
}

bool is_within(const Plain& point, const Bounds& bounds, double rounding) {
  return (!bounds.latency || point.latency <= *bounds.latency * rounding) &&
         (!bounds.throughput || point.throughput * rounding >= bounds.throughput->si()) &&
         (!bounds.power || point.power <= *bounds.power * rounding);
}

RC_GTEST_PROP(Tune, NoPointWithinTheBoundsBeatsTheChoice, ()) {
  const TuneTarget& target = any_contender();
  const TuneRequest request = any_request(target);
  const auto result = tune(std::span(&target, 1), request);
  // Points well within the bounds, and points that nearly meet them.
  double surely = INFINITY, nearly = INFINITY;
  for (const Plain& point : all_settings(target, request)) {
    if (is_within(point, request.bounds, 1 - kRounding)) surely = std::min(surely, point.score);
    if (is_within(point, request.bounds, 1 + kRounding)) nearly = std::min(nearly, point.score);
  }
  RC_CLASSIFY(!result, "impossible");
  if (!result) {
    RC_ASSERT(std::isinf(surely));
    return;
  }
  const OperatingPoint& choice = result->choice;
  const double score_of_choice = score(request.objective, choice, request.prices);
  RC_ASSERT(score_of_choice <= surely * (1 + kRounding));
  RC_ASSERT(score_of_choice >= nearly * (1 - kRounding));
  RC_ASSERT(meets(choice, request.bounds));
  RC_ASSERT(result->at_default.batch == choice.batch);
  RC_ASSERT(!result->at_default.clock && result->at_default.default_limit);
  RC_ASSERT(std::abs(result->energy_saving - (1 - choice.energy_per_sample().si() /
                                                      result->at_default.energy_per_sample().si())) < 1e-12);
}

RC_GTEST_PROP(Tune, TheChoiceMatchesAPredictionAtItsSettings, ()) {
  const TuneTarget& target = any_contender();
  const auto result = tune(std::span(&target, 1), any_request(target));
  RC_PRE(bool(result));
  const OperatingPoint& choice = result->choice;
  RC_ASSERT(bool(device::check({choice.clock, choice.limit}, target.gpu)));
  for (const PreparedNetwork& prepared : target.networks) {
    if (prepared.config().batch != choice.batch) continue;
    const Prediction again = prepared.predict({choice.clock, choice.limit});
    RC_ASSERT(again.time.value == choice.prediction.time.value);
    RC_ASSERT(again.energy_per_sample.value == choice.prediction.energy_per_sample.value);
    RC_ASSERT(again.clock == choice.prediction.clock);
  }
}

RC_GTEST_PROP(Tune, LowerLimitsAreNotNeededIfClocksAreLocked, ()) {
  const TuneTarget& target = any_contender();
  TuneRequest request;
  request.objective = *rc::gen::element(Objective::energy, Objective::energy_delay, Objective::time);
  const auto result = tune(std::span(&target, 1), request);
  const double chosen = score(request.objective, result->choice, request.prices);
  request.space.limits.emplace();
  const auto way = [&](int i) {
    return target.gpu.limit.min + (target.gpu.limit.max - target.gpu.limit.min) * (i / 40.0);
  };
  for (int i = 0; i <= 40; ++i) request.space.limits->push_back(way(i));
  const auto with_limits = tune(std::span(&target, 1), request);
  RC_ASSERT(chosen <= score(request.objective, with_limits->choice, request.prices) * 1.003);
}

RC_GTEST_PROP(Tune, TheFrontDominatesAllOtherPoints, ()) {
  const TuneTarget& target = any_contender();
  const TuneRequest request = any_request(target);
  const auto result = tune(std::span(&target, 1), request);
  RC_PRE(bool(result));
  const auto& front = result->front;
  RC_ASSERT(!front.empty());
  for (std::size_t i = 1; i < front.size(); ++i) {
    RC_ASSERT(front[i].latency() > front[i - 1].latency());
    RC_ASSERT(front[i].energy_per_sample() < front[i - 1].energy_per_sample());
  }
  const Bounds others{std::nullopt, request.bounds.throughput, request.bounds.power};
  for (const Plain& point : all_settings(target, request)) {
    if (!is_within(point, others, 1 - kRounding)) continue;
    // The last point of the front that is not slower needs no more energy.
    auto after =
        std::upper_bound(front.begin(), front.end(), point.latency * (1 + kRounding),
                         [](Seconds time, const OperatingPoint& each) { return time < each.latency(); });
    RC_ASSERT(after != front.begin());
    RC_ASSERT((after - 1)->energy_per_sample() <= point.energy * (1 + kRounding));
  }
  if (request.objective == Objective::energy) {
    RC_ASSERT(std::any_of(front.begin(), front.end(), [&](const OperatingPoint& each) {
      return each.energy_per_sample() == result->choice.energy_per_sample();
    }));
  }
}

RC_GTEST_PROP(Tune, SavingGrowsWithLatency, ()) {
  const TuneTarget& target = any_contender();
  const TuneRequest request = any_request(target);
  const auto result = tune(std::span(&target, 1), request);
  RC_PRE(bool(result));
  double saving = 0;
  for (const LatencyTradeoff& each : result->more_latency) {
    RC_ASSERT(each.point.has_value());
    RC_ASSERT(each.energy_saving >= saving);
    RC_ASSERT(each.point->latency() <= result->choice.latency() * (1 + each.latency_change));
    saving = each.energy_saving;
  }
  saving = request.objective == Objective::energy ? 0 : INFINITY;
  for (const LatencyTradeoff& each : result->less_latency) {
    if (!each.point) {
      saving = -INFINITY;
      continue;
    }
    RC_ASSERT(each.energy_saving <= saving);
    RC_ASSERT(each.point->latency() <= result->choice.latency() * (1 + each.latency_change));
    saving = each.energy_saving;
  }
}

RC_GTEST_PROP(Tune, AnInfeasibilityHasTheNearestPointAndTheBestOfEachBound, ()) {
  const TuneTarget& target = any_contender();
  TuneRequest request = any_request(target);
  const auto points = candidates_of(target, request.space).value();
  RC_PRE(std::none_of(points.begin(), points.end(),
                      [&](const OperatingPoint& point) { return meets(point, request.bounds); }));
  const Infeasibility infeasibility = infeasibility_of(points, request.bounds);
  const auto worst = [&](const OperatingPoint& point) {
    double most = 0;
    for (const BoundKind kind : given(request.bounds))
      most = std::max(most, excess(kind, request.bounds, point));
    return most;
  };
  for (const OperatingPoint& point : points) RC_ASSERT(worst(infeasibility.nearest) <= worst(point));
  RC_ASSERT(worst(infeasibility.nearest) > 1);
  for (const Infeasibility::UnmetBound& each : infeasibility.unmet) {
    RC_ASSERT(excess(each.bound, request.bounds, each.best) > 1);
    for (const OperatingPoint& point : points) {
      const bool rest_kept = [&] {
        for (const BoundKind kind : given(request.bounds)) {
          if (kind != each.bound && excess(kind, request.bounds, point) > 1) return false;
        }
        return true;
      }();
      if (infeasibility.individually_infeasible || rest_kept)
        RC_ASSERT(excess(each.bound, request.bounds, each.best) <= excess(each.bound, request.bounds, point));
    }
  }
}

}  // namespace
}  // namespace ergon::predict
