#include "predict/tune/tune.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/contract.h"
#include "predict/tune/front.h"

namespace ergon::predict {
namespace {

constexpr std::array kMoreLatency{0.01, 0.05, 0.10, 0.25};

// A limit that is the bound itself is the least restrictive one that keeps it.
Reach reach_for(const Question& question, const device::Specification& gpu) {
  Reach reach = question.reach;
  if (reach.limits || !question.bounds.power) return reach;
  reach.limits = limits_of(gpu, reach);
  reach.limits->push_back(*question.bounds.power);
  return reach;
}

// The first of equals; nothing where none keeps the bounds.
const OperatingPoint* best_of(std::span<const OperatingPoint> points, const Question& question) {
  const OperatingPoint* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const OperatingPoint& point : points) {
    if (!keeps(point, question.bounds)) continue;
    const double here = score(question.objective, point, question.prices);
    if (here < least) {
      least = here;
      best = &point;
    }
  }
  return best;
}

const Outlook& outlook_at(const Contender& contender, std::int64_t batch) {
  const auto found = std::find_if(contender.outlooks.begin(), contender.outlooks.end(),
                                  [&](const Outlook& each) { return each.condition().batch == batch; });
  ERGON_EXPECTS(found != contender.outlooks.end());
  return *found;
}

DeviceAnswer answer_of(const Contender& contender, std::span<const OperatingPoint> points,
                       const Question& question) {
  DeviceAnswer answer;
  answer.device = contender.gpu.name;
  answer.candidates = points.size();
  answer.left_out = contender.left_out;
  const auto* best = best_of(points, question);
  if (best == nullptr) {
    answer.blockade = blockade_of(points, question.bounds);
    return answer;
  }
  const Outlook& outlook = outlook_at(contender, best->batch);
  answer.choice = *best;
  answer.at_default = default_point(contender, outlook);
  answer.warnings = outlook.warnings();
  return answer;
}

std::vector<OperatingPoint> default_points(std::span<const Contender> contenders) {
  std::vector<OperatingPoint> points;
  for (const Contender& contender : contenders) {
    for (const Outlook& outlook : contender.outlooks) points.push_back(default_point(contender, outlook));
  }
  return points;
}

void sort_best_first(std::vector<DeviceAnswer>& devices, const Question& question) {
  const auto rank = [&](const DeviceAnswer& each) {
    return each.choice ? score(question.objective, *each.choice, question.prices)
                       : std::numeric_limits<double>::infinity();
  };
  std::stable_sort(devices.begin(), devices.end(),
                   [&](const DeviceAnswer& a, const DeviceAnswer& b) { return rank(a) < rank(b); });
}

}  // namespace

Result<Answer> tune(std::span<const Contender> contenders, const Question& question) {
  ERGON_EXPECTS(!contenders.empty());
  Answer answer;
  std::vector<OperatingPoint> all;
  for (const Contender& contender : contenders) {
    auto points = candidates_of(contender, reach_for(question, contender.gpu));
    if (!points) return points.error();
    answer.devices.push_back(answer_of(contender, *points, question));
    all.insert(all.end(), points->begin(), points->end());
  }
  sort_best_first(answer.devices, question);
  if (!answer.devices.front().choice)
    return fail(Errc::invalid_input, "{}", blockade_of(all, question.bounds).text(question.bounds));

  answer.choice = *answer.devices.front().choice;
  answer.at_default = *answer.devices.front().at_default;
  answer.energy_saving = energy_saving(answer.choice, answer.at_default);
  const auto defaults = default_points(contenders);
  if (const auto* best = best_of(defaults, question)) answer.best_default = *best;

  for (const double change : kMoreLatency) {
    answer.more_latency.push_back(exchange_of(answer.choice, all, question.bounds, change));
    answer.less_latency.push_back(exchange_of(answer.choice, all, question.bounds, -change));
  }
  const Bounds others{std::nullopt, question.bounds.throughput, question.bounds.power};
  std::erase_if(all, [&](const OperatingPoint& point) { return !keeps(point, others); });
  answer.front = pareto_front(all);
  return answer;
}

}  // namespace ergon::predict
