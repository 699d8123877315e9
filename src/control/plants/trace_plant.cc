#include "control/plants/trace_plant.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "control/power_statistics.h"

namespace ergon::control {
namespace {

constexpr std::int64_t kMaxIntegers = 512;
constexpr int kGeometricSteps = 256;
constexpr double kIdleShare = 0.95;
// Rounding tolerance: times are sums of many batches.
constexpr Seconds kTolerance{1e-9};

std::vector<std::int64_t> batches_between(std::int64_t min, std::int64_t max) {
  std::vector<std::int64_t> batches;
  if (max - min < kMaxIntegers) {
    for (std::int64_t batch = min; batch <= max; ++batch) batches.push_back(batch);
    return batches;
  }
  const double ratio = static_cast<double>(max) / static_cast<double>(min);
  for (int i = 0; i < kGeometricSteps; ++i) {
    const double exact = static_cast<double>(min) * std::pow(ratio, i / (kGeometricSteps - 1.0));
    const std::int64_t batch = std::clamp<std::int64_t>(std::llround(exact), min, max);
    if (batches.empty() || batch > batches.back()) batches.push_back(batch);
  }
  return batches;
}

}  // namespace

TracePlant::TracePlant(BatchTrace trace, Options options)
    : options_(std::move(options)),
      surface_(std::move(trace)),
      knobs_(surface_.trace().knobs()),
      random_(options_.seed) {
  ERGON_EXPECTS(options_.sensor_period > kTolerance && options_.sensor_window > kTolerance);
  ERGON_EXPECTS(options_.power_noise >= 0);
  const std::int64_t min = knobs_.batches.front(), max = knobs_.batches.back();
  knobs_.batches = options_.batches ? *options_.batches : batches_between(min, max);
  ERGON_EXPECTS(!knobs_.batches.empty() && knobs_.batches.front() >= min && knobs_.batches.back() <= max);
  ERGON_EXPECTS(std::ranges::adjacent_find(knobs_.batches, std::greater_equal{}) == knobs_.batches.end());
  const auto& cells = surface_.trace().cells;
  idle_ = options_.idle.value_or(std::ranges::min(cells, {}, &TraceCell::power).power * kIdleShare);
  update();
}

Result<Feedback> TracePlant::run(const Point& point, const Controller::DecisionInterval& interval) {
  ERGON_EXPECTS(std::ranges::binary_search(knobs_.batches, point.batch));
  ERGON_EXPECTS(point.clock ? std::ranges::binary_search(knobs_.clocks, *point.clock)
                            : knobs_.clocks.empty());
  const bool fresh_only = interval.sensor_updates > 0;
  const Expectation truth = surface_.at(point);
  std::int64_t batches = std::max(1, interval.batches);
  if (fresh_only) {
    const Seconds needed = options_.sensor_window + options_.sensor_period * interval.sensor_updates;
    batches =
        std::max<std::int64_t>(batches, std::llround(std::ceil(((needed - kTolerance) / truth.time).si())));
  }
  const Seconds from = now_;
  if (point_ != point) since_ = from;
  point_ = point;
  const auto after = [&](std::int64_t done) { return from + truth.time * static_cast<double>(done); };
  now_ = after(batches);
  recent_.push_back({from, now_, truth.power});
  segments_.push_back({from, now_, truth.power});

  PowerStatistics powers;
  if (fresh_only) {
    while (next_update() <= now_ + kTolerance) {
      update();
      if (shown_.at - options_.sensor_window >= since_ - kTolerance) powers.add(shown_.power);
    }
  } else {
    for (std::int64_t done = 1; done <= batches; ++done) {
      while (next_update() <= after(done) + kTolerance) update();
      powers.add(shown_.power);
    }
  }
  std::erase_if(recent_, [&](const PowerSegment& segment) {
    return segment.to < next_update() - options_.sensor_window;
  });

  Feedback feedback;
  powers.write_to(feedback);
  feedback.at = now_;
  feedback.lasted = now_ - from;
  feedback.point = point;
  feedback.samples = static_cast<double>(batches * point.batch);
  feedback.latency = truth.time;
  latencies_.push_back({truth.time, feedback.samples});
  return feedback;
}

void TracePlant::update() {
  const Seconds at = next_update();
  const Watts mean = mean_power(at - options_.sensor_window, at);
  const double noise = options_.power_noise > 0 ? options_.power_noise * random_.normal() : 0;
  shown_ = {at, std::max(mean * (1 + noise), Watts{0})};
  ++updates_;
}

Watts TracePlant::mean_power(Seconds from, Seconds to) const {
  Seconds covered = std::max(std::min(to, Seconds{0}) - from, Seconds{0});  // idle time before time 0
  Joules energy = idle_ * covered;
  for (const PowerSegment& segment : recent_) {
    const Seconds shared = std::max(std::min(to, segment.to) - std::max(from, segment.from), Seconds{0});
    energy += segment.power * shared;
    covered += shared;
  }
  return energy / covered;
}

}  // namespace ergon::control
