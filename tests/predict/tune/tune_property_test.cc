// The search against a loop that knows nothing of it: every clock, limit and batch, asked one by one.

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "device/twin/clock_grid.h"
#include "predict/tune/contenders.h"
#include "predict/tune/tune.h"

namespace ergon::predict {
namespace {

// Between a clock that is locked and one that a limit settles at lie some bits.
constexpr double kRounding = 1e-6;

const Contender& any_contender() {
  static std::map<std::tuple<std::string, std::string, bool>, Contender> made;
  const auto key = std::tuple{
      *rc::gen::element<std::string>("a30", "h200", "rtx2080ti", "v100", "a40", "a100-sxm-80"),
      *rc::gen::element<std::string>("resnet50", "mobilenet_v2", "alexnet"), *rc::gen::arbitrary<bool>()};
  if (!made.contains(key)) {
    const auto& [device, network, training] = key;
    made.emplace(key, contender(device, network, {1, 4, 32, 128},
                                training ? graph::Mode::training : graph::Mode::inference));
  }
  return made.at(key);
}

double between(double least, double most) {
  return least * std::pow(most / least, *rc::gen::inRange(0, 1001) / 1000.0);
}

Question any_question(const Contender& contender) {
  Question question;
  question.objective = *rc::gen::elementOf(all_objectives());
  question.prices.per_kwh = between(0.05, 1);
  if (*rc::gen::arbitrary<bool>()) question.prices.per_gpu_hour[contender.gpu.name] = between(0.1, 10);
  const Forecast middle = contender.outlooks[contender.outlooks.size() / 2].at({});
  const auto batch = static_cast<double>(contender.outlooks[contender.outlooks.size() / 2].condition().batch);
  if (*rc::gen::arbitrary<bool>()) question.bounds.latency = middle.time.value * between(0.3, 5);
  if (*rc::gen::arbitrary<bool>())
    question.bounds.throughput = SamplesPerSecond{batch / middle.time.value.si() * between(0.1, 1.5)};
  if (*rc::gen::arbitrary<bool>()) question.bounds.power = contender.gpu.limit.usual * between(0.3, 1.2);
  const device::CoreClock& core = contender.gpu.core;
  if (*rc::gen::inRange(0, 4) == 0) {
    question.reach.clock_from = core.least + (core.most - core.least) * 0.3;
    question.reach.clock_to = core.least + (core.most - core.least) * 0.7;
  }
  question.reach.lock_clocks = *rc::gen::inRange(0, 4) > 0;
  return question;
}

struct Plain {
  Seconds latency;
  double throughput = 0, score = 0;
  Watts power;
  Joules energy;  // of a sample
};

// Everything that a person could set, in any order.
std::vector<Plain> all_settings(const Contender& contender, const Question& question) {
  const device::Specification& gpu = contender.gpu;
  std::vector<std::optional<Hertz>> clocks;
  const device::ClockGrid grid(gpu.core);
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const Hertz clock = grid.at(i);
    if (clock >= question.reach.clock_from.value_or(clock) &&
        clock <= question.reach.clock_to.value_or(clock))
      clocks.emplace_back(clock);
  }
  if (!question.reach.lock_clocks) clocks = {clocks.back()};
  if (!question.reach.clock_to) clocks.emplace_back(std::nullopt);
  std::vector<Watts> limits{gpu.limit.usual, gpu.limit.most};
  for (int i = 0; i <= 5 && !question.reach.lock_clocks; ++i) {
    const Watts between = gpu.limit.least + (gpu.limit.most - gpu.limit.least) * (i / 5.0);
    limits.push_back(Watts{std::round(between.si())});
  }
  if (const auto bound = question.bounds.power;
      bound && *bound >= gpu.limit.least && *bound <= gpu.limit.most)
    limits.push_back(*bound);

  std::vector<Plain> all;
  for (const Outlook& outlook : contender.outlooks) {
    const auto batch = static_cast<double>(outlook.condition().batch);
    for (const auto& clock : clocks) {
      for (const Watts limit : limits) {
        const Forecast there = outlook.at({clock, limit});
        if (!there.kept) continue;
        const double seconds = there.time.value.si(), joules = there.energy_per_sample.value.si();
        double score = joules;
        if (question.objective == Objective::energy_delay) score = joules * seconds / batch;
        if (question.objective == Objective::time) score = seconds / batch;
        if (question.objective == Objective::price) {
          score = *question.prices.per_kwh * joules / 3.6e6;
          for (const auto& [device, price] : question.prices.per_gpu_hour)
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

RC_GTEST_PROP(Tune, NothingWithinTheBoundsIsBetterThanTheChoice, ()) {
  const Contender& contender = any_contender();
  const Question question = any_question(contender);
  const auto answer = tune(std::span(&contender, 1), question);
  // Of points that keep the bounds with room to spare, and of those that nearly keep them.
  double surely = INFINITY, nearly = INFINITY;
  for (const Plain& point : all_settings(contender, question)) {
    if (is_within(point, question.bounds, 1 - kRounding)) surely = std::min(surely, point.score);
    if (is_within(point, question.bounds, 1 + kRounding)) nearly = std::min(nearly, point.score);
  }
  RC_CLASSIFY(!answer, "impossible");
  if (!answer) {
    RC_ASSERT(std::isinf(surely));
    return;
  }
  const OperatingPoint& choice = answer->choice;
  const double score_of_choice = score(question.objective, choice, question.prices);
  RC_ASSERT(score_of_choice <= surely * (1 + kRounding));
  RC_ASSERT(score_of_choice >= nearly * (1 - kRounding));
  RC_ASSERT(keeps(choice, question.bounds));
  RC_ASSERT(answer->at_default.batch == choice.batch);
  RC_ASSERT(answer->at_default.has_default_settings());
  RC_ASSERT(std::abs(answer->energy_saving - (1 - choice.energy_per_sample().si() /
                                                      answer->at_default.energy_per_sample().si())) < 1e-12);
}

RC_GTEST_PROP(Tune, TheChoiceIsWhatItsSettingsGive, ()) {
  const Contender& contender = any_contender();
  const auto answer = tune(std::span(&contender, 1), any_question(contender));
  RC_PRE(bool(answer));
  const OperatingPoint& choice = answer->choice;
  RC_ASSERT(bool(device::check({choice.clock, choice.limit}, contender.gpu)));
  for (const Outlook& outlook : contender.outlooks) {
    if (outlook.condition().batch != choice.batch) continue;
    const Forecast again = outlook.at({choice.clock, choice.limit});
    RC_ASSERT(again.time.value == choice.forecast.time.value);
    RC_ASSERT(again.energy_per_sample.value == choice.forecast.energy_per_sample.value);
    RC_ASSERT(again.clock == choice.forecast.clock);
  }
}

RC_GTEST_PROP(Tune, LowerLimitsAreNotMissedWhereClocksCanBeLocked, ()) {
  const Contender& contender = any_contender();
  Question question;
  question.objective = *rc::gen::element(Objective::energy, Objective::energy_delay, Objective::time);
  const auto answer = tune(std::span(&contender, 1), question);
  const double chosen = score(question.objective, answer->choice, question.prices);
  question.reach.limits.emplace();
  const auto way = [&](int i) {
    return contender.gpu.limit.least + (contender.gpu.limit.most - contender.gpu.limit.least) * (i / 40.0);
  };
  for (int i = 0; i <= 40; ++i) question.reach.limits->push_back(way(i));
  const auto with_limits = tune(std::span(&contender, 1), question);
  RC_ASSERT(chosen <= score(question.objective, with_limits->choice, question.prices) * 1.003);
}

RC_GTEST_PROP(Tune, TheFrontIsBeatenByNothingAndBeatsEverythingElse, ()) {
  const Contender& contender = any_contender();
  const Question question = any_question(contender);
  const auto answer = tune(std::span(&contender, 1), question);
  RC_PRE(bool(answer));
  const auto& front = answer->front;
  RC_ASSERT(!front.empty());
  for (std::size_t i = 1; i < front.size(); ++i) {
    RC_ASSERT(front[i].latency() > front[i - 1].latency());
    RC_ASSERT(front[i].energy_per_sample() < front[i - 1].energy_per_sample());
  }
  const Bounds others{std::nullopt, question.bounds.throughput, question.bounds.power};
  for (const Plain& point : all_settings(contender, question)) {
    if (!is_within(point, others, 1 - kRounding)) continue;
    // The last on the front that is no later takes no more energy.
    auto after =
        std::upper_bound(front.begin(), front.end(), point.latency * (1 + kRounding),
                         [](Seconds time, const OperatingPoint& each) { return time < each.latency(); });
    RC_ASSERT(after != front.begin());
    RC_ASSERT((after - 1)->energy_per_sample() <= point.energy * (1 + kRounding));
  }
  if (question.objective == Objective::energy) {
    RC_ASSERT(std::any_of(front.begin(), front.end(), [&](const OperatingPoint& each) {
      return each.energy_per_sample() == answer->choice.energy_per_sample();
    }));
  }
}

RC_GTEST_PROP(Tune, MoreLatencyNeverBuysLessAndLessNeverCostsLess, ()) {
  const Contender& contender = any_contender();
  const Question question = any_question(contender);
  const auto answer = tune(std::span(&contender, 1), question);
  RC_PRE(bool(answer));
  double saving = 0;
  for (const Exchange& each : answer->more_latency) {
    RC_ASSERT(each.point.has_value());
    RC_ASSERT(each.energy_saving >= saving);
    RC_ASSERT(each.point->latency() <= answer->choice.latency() * (1 + each.latency_change));
    saving = each.energy_saving;
  }
  saving = question.objective == Objective::energy ? 0 : INFINITY;
  for (const Exchange& each : answer->less_latency) {
    if (!each.point) {
      saving = -INFINITY;
      continue;
    }
    RC_ASSERT(each.energy_saving <= saving);
    RC_ASSERT(each.point->latency() <= answer->choice.latency() * (1 + each.latency_change));
    saving = each.energy_saving;
  }
}

RC_GTEST_PROP(Tune, ABlockadeNamesTheNearestPointAndTheBestOfEachBound, ()) {
  const Contender& contender = any_contender();
  Question question = any_question(contender);
  const auto points = candidates_of(contender, question.reach).value();
  RC_PRE(std::none_of(points.begin(), points.end(),
                      [&](const OperatingPoint& point) { return keeps(point, question.bounds); }));
  const Blockade blockade = blockade_of(points, question.bounds);
  const auto worst = [&](const OperatingPoint& point) {
    double most = 0;
    for (const BoundKind kind : given(question.bounds))
      most = std::max(most, excess(kind, question.bounds, point));
    return most;
  };
  for (const OperatingPoint& point : points) RC_ASSERT(worst(blockade.nearest) <= worst(point));
  RC_ASSERT(worst(blockade.nearest) > 1);
  for (const Blockade::Obstacle& each : blockade.obstacles) {
    RC_ASSERT(excess(each.bound, question.bounds, each.best) > 1);
    for (const OperatingPoint& point : points) {
      const bool rest_kept = [&] {
        for (const BoundKind kind : given(question.bounds)) {
          if (kind != each.bound && excess(kind, question.bounds, point) > 1) return false;
        }
        return true;
      }();
      if (blockade.hopeless || rest_kept)
        RC_ASSERT(excess(each.bound, question.bounds, each.best) <=
                  excess(each.bound, question.bounds, point));
    }
  }
}

}  // namespace
}  // namespace ergon::predict
